"""What can be wrong with asking for an evaluation, reading it, or computing it."""

from ..kit.problems import Conflict, Forbidden, Invalid, Problem


class NoContributions(Conflict):
    """No seller has submitted a contribution yet."""

    slug, title = "no-contributions", "No contributions"


class ContributionNotSubmitted(Invalid):
    """A contribution that was named is no submitted one."""

    slug, title = "contribution-not-submitted", "Contribution not submitted"


class CoalitionNotEvaluable(Invalid):
    """A coalition names others than are evaluated, or these answers know none, or not so many."""

    slug, title = "coalition-not-evaluable", "Coalition not evaluable"


class NotExtendable(Conflict):
    """The evaluation that is to be extended has not succeeded, or is of another request."""

    slug, title = "not-extendable", "Not extendable"


class RequestNotEvaluable(Conflict):
    """The request is a draft, or was cancelled."""

    slug, title = "request-not-evaluable", "Request not evaluable"


class EvaluationNotFinished(Conflict):
    """There is no result yet."""

    slug, title = "evaluation-not-finished", "Evaluation not finished"


class EvaluationWithoutResult(Conflict):
    """The evaluation failed or was cancelled, so there will be no result."""

    slug, title = "evaluation-without-result", "Evaluation without result"


class EvaluationFinished(Conflict):
    """The evaluation has ended, so it cannot be cancelled."""

    slug, title = "evaluation-finished", "Evaluation finished"


class AnswersOfTwoKinds(Conflict):
    """Some sellers answered by scalars, which nobody can verify, and some did not."""

    slug, title = "answers-of-two-kinds", "Answers of two kinds"


class NoScores(Conflict):
    """The sellers answered by scalars, of which no scores follow."""

    slug, title = "no-scores", "No scores"


class ScoresWithheld(Forbidden):
    """A seller does not show the buyer these scores; or a party is too small for any."""

    slug, title = "scores-withheld", "Scores withheld"


class AnsweredWithNoise(Conflict):
    """The request has an epsilon: there is a noised result, and nothing else."""

    slug, title = "answered-with-noise", "Answered with noise"


class AnsweredWithoutNoise(Conflict):
    """The request has no epsilon: there is a result without noise."""

    slug, title = "answered-without-noise", "Answered without noise"


class NotCertified(Problem):
    """A distance could not be proven."""

    slug, title, status = "not-certified", "Not certified", 500

    @classmethod
    def at(cls, s: float | None) -> "NotCertified":
        """Say so of an s, where it is known, and nothing of what was found: no ledger has that."""
        return cls(
            f"The distance{'' if s is None else f' at s = {s:g}'} cannot be proven with float64 "
            "numbers, because the costs differ by many orders of magnitude. Often some records lie "
            "very far from all others, such as codes like 999999 for missing values: remove or "
            "rescale such records, and ask again.",
            s=s,
        )


class NotSolvable(Problem):
    """What the parties uploaded does not fit together."""

    slug, title, status = "not-solvable", "Not solvable", 422
