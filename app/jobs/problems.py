"""Problems of a computation that are not problems of its inputs."""

from ..http.problems import Problem

GIB = 2**30


class ComputationFailed(Problem):
    """The computation raised an unexpected error."""

    slug, title, status = "computation-failed", "The computation failed", 500

    @classmethod
    def in_process(cls, error: Exception) -> "ComputationFailed":
        """Build the problem for an error in the solver process."""
        return cls(
            f"The computation failed unexpectedly with {type(error).__name__}. Ask the operator, "
            "whose log has the details."
        )

    @classmethod
    def in_worker(cls, error: Exception) -> "ComputationFailed":
        """Build the problem for an error in the worker itself."""
        return cls(
            f"The worker failed unexpectedly with {type(error).__name__}. Ask the operator, whose "
            "log has the details."
        )


class MachineFailed(Problem):
    """The machine of the worker could not read or write what the computation needs."""

    slug, title, status = "machine-failed", "The machine failed", 500
    is_machine_fault = True

    def __init__(self, error: OSError) -> None:
        super().__init__(
            "The machine that computed this has a fault. Ask the operator, whose log has the "
            "details, to correct the fault and have this computed again."
        )
        self._cause = f"{type(error).__name__}: {error.strerror or error}"

    @property
    def cause(self) -> str:
        """The operating system's message, for the operator. The response does not contain it."""
        return self._cause


class ComputationDied(Problem):
    """The solver process ended without an output in every attempt."""

    slug, title, status = "computation-died", "The computation's process ended", 500

    @classmethod
    def of(cls, cause: str, attempts: int) -> "ComputationDied":
        """Build the problem; `cause` states how the last process ended."""
        return cls(
            f"The computation's process ended without a result in all {attempts} attempts (cause "
            f"of the last: {cause}). Often the cause is a lack of memory: ask again with fewer "
            "points, or on a larger machine.",
            cause=cause,
            attempts=attempts,
        )


class WorkerLost(Problem):
    """The worker or the solver process vanished in every attempt."""

    slug, title, status = "worker-lost", "Worker lost", 500

    @classmethod
    def after(cls, attempts: int) -> "WorkerLost":
        """Build the problem for a job that has used up its attempts."""
        return cls(
            f"In each of {attempts} attempts, the worker or the computation's process vanished. "
            "Often the cause is a lack of memory: ask again with fewer points, or tell the "
            "operator.",
            attempts=attempts,
        )


class OutOfMemory(Problem):
    """The computation needs more memory than a solver process may use."""

    slug, title, status = "out-of-memory", "Out of memory", 500

    @classmethod
    def beyond(cls, limit_bytes: int, needed_bytes: int | None) -> "OutOfMemory":
        """Build the problem; `needed_bytes` is the least memory needed, or None if unknown."""
        needed = (
            f"more than {limit_bytes / GIB:.3g} GiB"
            if needed_bytes is None
            else f"at least {needed_bytes / GIB:.3g} GiB"
        )
        return cls(
            f"The computation needs {needed} of memory, but may use only {limit_bytes / GIB:.3g} "
            "GiB here. Ask with fewer points or sellers, or ask the operator to raise "
            "WASSAY_SOLVE_MEMORY_BYTES.",
            needed_bytes=needed_bytes,
            limit_bytes=limit_bytes,
        )


class TooLong(Problem):
    """The computation exceeded its time limit."""

    slug, title, status = "too-long", "Too long", 500

    @classmethod
    def after(cls, limit_seconds: float, progress: tuple[int, int] | None) -> "TooLong":
        """Build the problem, with an estimate of the needed time if any step is done.

        `progress` is the number of steps done and the number of all steps; None if unknown.
        """
        needed = None
        if progress is not None and progress[0] > 0:
            needed = limit_seconds * progress[1] / progress[0]
        return cls(
            f"The computation was not done after {limit_seconds:g} s, the time limit here"
            + ("" if progress is None else f"; {progress[0]} of {progress[1]} problems were solved")
            + ("" if needed is None else f", so it needs about {needed:.3g} s")
            + ". Ask with fewer points, sellers or values of s, or ask the operator to raise "
            "WASSAY_SOLVE_SECONDS.",
            needed_seconds=needed,
            limit_seconds=limit_seconds,
        )
