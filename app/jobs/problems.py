"""Why a computation may fail for reasons that lie outside of it."""

from app.kit.problems import Problem


class ComputationFailed(Problem):
    """The computation raised something that nobody foresaw."""

    slug, title, status = "computation-failed", "The computation failed", 500


class ComputationDied(Problem):
    """The process that computed it ended without an answer."""

    slug, title, status = "computation-died", "The computation's process ended", 500


class OutOfMemory(Problem):
    """The computation needs more memory than a child process may use."""

    slug, title, status = "out-of-memory", "Out of memory", 500
