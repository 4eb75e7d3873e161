"""Why a computation may fail for reasons that lie outside of it."""

from ..kit.problems import Problem
from .handlers import MAX_ATTEMPTS

GIB = 2**30


class ComputationFailed(Problem):
    """The computation raised something that nobody foresaw."""

    slug, title, status = "computation-failed", "The computation failed", 500

    @classmethod
    def in_child(cls, error: Exception) -> "ComputationFailed":
        """Say so of an error in the child."""
        return cls(f"The computation raised {type(error).__name__}. The operator's log says more.")

    @classmethod
    def in_worker(cls, error: Exception) -> "ComputationFailed":
        """Say so of an error in the worker itself."""
        return cls(f"The worker raised {type(error).__name__}. The operator's log says more.")


class ComputationDied(Problem):
    """The process that computed it ended without an answer, each time that it was begun."""

    slug, title, status = "computation-died", "The computation's process ended", 500

    @classmethod
    def of(cls, cause: str) -> "ComputationDied":
        """Say so of the last of the attempts."""
        return cls(
            f"The process that computed it ended without an answer ({cause}), and it was begun "
            f"{MAX_ATTEMPTS} times; often the machine ran out of memory. Ask again with fewer "
            "points, or on a larger machine.",
            cause=cause,
            attempts=MAX_ATTEMPTS,
        )


class WorkerLost(Problem):
    """Every worker that computed it vanished."""

    slug, title, status = "worker-lost", "Worker lost", 500

    @classmethod
    def each_time(cls) -> "WorkerLost":
        """Say so of a job that was begun as often as may be."""
        return cls(
            f"It was begun {MAX_ATTEMPTS} times, and each time its worker, or the process that "
            "computed it, vanished; often the machine ran out of memory. Ask the operator, or ask "
            "again with fewer points.",
            attempts=MAX_ATTEMPTS,
        )


class OutOfMemory(Problem):
    """The computation needs more memory than a child process may use."""

    slug, title, status = "out-of-memory", "Out of memory", 500

    @classmethod
    def beyond(cls, limit_bytes: int, needed_bytes: int | None) -> "OutOfMemory":
        """Say so of a limit, and of the least that is needed where that is known."""
        needed = (
            f"more than {limit_bytes / GIB:.3g} GiB"
            if needed_bytes is None
            else f"at least {needed_bytes / GIB:.3g} GiB"
        )
        return cls(
            f"It needs {needed} of memory, and a computation may use {limit_bytes / GIB:.3g} GiB "
            "here. Ask with fewer points or fewer sellers, or have the operator raise "
            "WASSAY_SOLVE_MEMORY_BYTES.",
            needed_bytes=needed_bytes,
            limit_bytes=limit_bytes,
        )


class TooLong(Problem):
    """The computation took longer than it may."""

    slug, title, status = "too-long", "Too long", 500

    @classmethod
    def after(cls, limit_seconds: float, progress: tuple[int, int] | None) -> "TooLong":
        """Say so of a limit, and of the time that is needed as far as the progress tells."""
        needed = None
        if progress is not None and progress[0] > 0:
            needed = limit_seconds * progress[1] / progress[0]
        return cls(
            f"It was not done after {limit_seconds:g} s, the longest that a computation may take "
            "here"
            + ("" if progress is None else f"; {progress[0]} of {progress[1]} solves were done")
            + ("" if needed is None else f", so it needs about {needed:.3g} s")
            + ". Ask with fewer points, sellers or values of s, or have the operator raise "
            "WASSAY_SOLVE_SECONDS.",
            needed_seconds=needed,
            limit_seconds=limit_seconds,
        )
