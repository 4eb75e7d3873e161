"""Problems that forbid a deletion."""

from ..http.problems import Conflict


class RequestStillOpen(Conflict):
    """The request is open, so its sellers and evaluations need the measure."""

    slug, title = "request-still-open", "Request still open"


class EvaluationUnfinished(Conflict):
    """A waiting or running evaluation needs the data to delete."""

    slug, title = "evaluation-unfinished", "Evaluation unfinished"
