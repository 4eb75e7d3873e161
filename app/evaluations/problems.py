"""Problems of asking for an evaluation, of reading it and of computing it."""

from types import MappingProxyType

from ..http.problems import Conflict, Forbidden, Invalid, Problem


class NoContributions(Conflict):
    """No seller has submitted a contribution yet."""

    slug, title = "no-contributions", "No contributions"


class ContributionNotSubmitted(Invalid):
    """A named contribution has not been submitted."""

    slug, title = "contribution-not-submitted", "Contribution not submitted"


class CoalitionNotEvaluable(Invalid):
    """The coalitions, permutations or pairs asked for cannot be evaluated, or are too many."""

    slug, title = "coalition-not-evaluable", "Coalition not evaluable"


class SellerWeightsIncomplete(Invalid):
    """The weights do not belong to exactly the evaluated contributions."""

    slug, title = "seller-weights-incomplete", "Seller weights incomplete"


class EvaluationTooLarge(Invalid):
    """The evaluation needs more memory or time than a solver process of this service may take."""

    slug, title = "evaluation-too-large", "Evaluation too large"


class NotExtendable(Conflict):
    """The evaluation to extend has not succeeded, or belongs to another request."""

    slug, title = "not-extendable", "Not extendable"


class RequestNotEvaluable(Conflict):
    """The request is a draft, was cancelled, or has lost its measure."""

    slug, title = "request-not-evaluable", "Request not evaluable"


class EvaluationNotFinished(Conflict):
    """The evaluation is waiting or running, so there is no result yet."""

    slug, title = "evaluation-not-finished", "Evaluation not finished"


class EvaluationWithoutResult(Conflict):
    """The evaluation failed or was cancelled, so there will be no result."""

    slug, title = "evaluation-without-result", "Evaluation without result"


class EvaluationFinished(Conflict):
    """The evaluation has ended, so it cannot be cancelled."""

    slug, title = "evaluation-finished", "Evaluation finished"


class EvaluationNotRetryable(Conflict):
    """The evaluation did not fail, its inputs are wrong or gone, or its last attempt is ending."""

    slug, title = "evaluation-not-retryable", "Evaluation not retryable"


class MixedContributions(Conflict):
    """Some contributions are scalars, which cannot be verified, and others are not."""

    slug, title = "mixed-contributions", "Mixed contributions"


class NoScores(Conflict):
    """The evaluation has no scores of this kind, or they were deleted with the points."""

    slug, title = "no-scores", "No scores"


class ScoresWithheld(Forbidden):
    """A seller does not disclose these scores, or a party has too few points for scores."""

    slug, title = "scores-withheld", "Scores withheld"


class ResultWithNoise(Conflict):
    """The request has an epsilon, so only a noised result can be read."""

    slug, title = "result-with-noise", "Result with noise"


class ResultWithoutNoise(Conflict):
    """The request has no epsilon, so only a result without noise can be read."""

    slug, title = "result-without-noise", "Result without noise"


class NotCertified(Problem):
    """A distance could not be certified."""

    slug, title, status = "not-certified", "Not certified", 500

    @classmethod
    def at(cls, s: float | None) -> "NotCertified":
        """Build the problem for the distance at `s`; pass None if the s is unknown."""
        # Leave out the distance's interval, because no ledger would record it.
        return cls(
            f"The distance{'' if s is None else f' at s = {s:g}'} cannot be certified with "
            "float64 numbers, because the costs differ by many orders of magnitude. Often some "
            "records are very far from all others, such as codes like 999999 for missing values: "
            "remove or rescale such records, and ask again.",
            s=s,
        )


class NotSolvable(Problem):
    """The parties' arrays do not fit together, or a distance with noise cannot be certified."""

    slug, title, status = "not-solvable", "Not solvable", 422


class TooManyStreams(Problem):
    """The account or its organisation has too many open event streams."""

    slug, title, status = "too-many-streams", "Too many streams", 429
    headers = MappingProxyType({"Retry-After": "5"})


class TooManyEvaluations(Problem):
    """The account or its organisation has too many waiting or running evaluations."""

    slug, title, status = "too-many-evaluations", "Too many evaluations", 429
    headers = MappingProxyType({"Retry-After": "5"})
