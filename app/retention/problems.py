"""Problems of deletions."""

from ..http.problems import Conflict


class RequestStillOpen(Conflict):
    """The request is open, so its sellers and evaluations need the measure."""

    slug, title = "request-still-open", "Request still open"


class EvaluationUnfinished(Conflict):
    """An evaluation that waits or runs needs what is to be deleted."""

    slug, title = "evaluation-unfinished", "Evaluation unfinished"
