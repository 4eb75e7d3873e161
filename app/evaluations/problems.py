"""Problems with asking for an evaluation, reading it, or computing it."""

from types import MappingProxyType

from ..http.problems import Conflict, Forbidden, Invalid, Problem


class NoContributions(Conflict):
    """No seller has submitted a contribution yet."""

    slug, title = "no-contributions", "No contributions"


class ContributionNotSubmitted(Invalid):
    """A named contribution is not submitted."""

    slug, title = "contribution-not-submitted", "Contribution not submitted"


class CoalitionNotEvaluable(Invalid):
    """The further coalitions, permutations or pairs cannot be evaluated, or are too many."""

    slug, title = "coalition-not-evaluable", "Coalition not evaluable"


class SellerWeightsIncomplete(Invalid):
    """The weights of sellers are not those of the evaluated contributions."""

    slug, title = "seller-weights-incomplete", "Seller weights incomplete"


class EvaluationTooLarge(Invalid):
    """The evaluation exceeds the memory or the time of a solver process of this service."""

    slug, title = "evaluation-too-large", "Evaluation too large"


class NotExtendable(Conflict):
    """The evaluation to extend has not succeeded, or belongs to another request."""

    slug, title = "not-extendable", "Not extendable"


class RequestNotEvaluable(Conflict):
    """The request is a draft, or was cancelled."""

    slug, title = "request-not-evaluable", "Request not evaluable"


class EvaluationNotFinished(Conflict):
    """The evaluation waits or runs, so there is no result yet."""

    slug, title = "evaluation-not-finished", "Evaluation not finished"


class EvaluationWithoutResult(Conflict):
    """The evaluation failed or was cancelled, so there will be no result."""

    slug, title = "evaluation-without-result", "Evaluation without result"


class EvaluationFinished(Conflict):
    """The evaluation has ended, so it cannot be cancelled."""

    slug, title = "evaluation-finished", "Evaluation finished"


class EvaluationNotRetryable(Conflict):
    """The evaluation has not failed because of the service, or its inputs are gone."""

    slug, title = "evaluation-not-retryable", "Evaluation not retryable"


class MixedContributions(Conflict):
    """Some contributions are scalars, which nobody can verify, and some are not."""

    slug, title = "mixed-contributions", "Mixed contributions"


class NoScores(Conflict):
    """The contributions are scalars, or the request has noise, so there are no scores."""

    slug, title = "no-scores", "No scores"


class ScoresWithheld(Forbidden):
    """A seller does not disclose these scores, or a party has too few points."""

    slug, title = "scores-withheld", "Scores withheld"


class ResultWithNoise(Conflict):
    """The request has an epsilon, so there is only a noised result."""

    slug, title = "result-with-noise", "Result with noise"


class ResultWithoutNoise(Conflict):
    """The request has no epsilon, so there is no noised result."""

    slug, title = "result-without-noise", "Result without noise"


class NotCertified(Problem):
    """A distance could not be certified."""

    slug, title, status = "not-certified", "Not certified", 500

    @classmethod
    def at(cls, s: float | None) -> "NotCertified":
        """Build the problem for an s, if known; leave out the interval, which no ledger records."""
        return cls(
            f"The distance{'' if s is None else f' at s = {s:g}'} cannot be certified with "
            "float64 numbers, because the costs differ by many orders of magnitude. Often some "
            "records are very far from all others, such as codes like 999999 for missing values: "
            "remove or rescale such records, and ask again.",
            s=s,
        )


class NotSolvable(Problem):
    """The arrays of the parties do not fit together."""

    slug, title, status = "not-solvable", "Not solvable", 422


class TooManyStreams(Problem):
    """The account or its organisation has too many open event streams."""

    slug, title, status = "too-many-streams", "Too many streams", 429
    headers = MappingProxyType({"Retry-After": "5"})


class TooManyEvaluations(Problem):
    """Too many evaluations of the account or its organisation wait or run."""

    slug, title, status = "too-many-evaluations", "Too many evaluations", 429
    headers = MappingProxyType({"Retry-After": "5"})
