"""What can be wrong with a contribution's state, or with an array for it."""

from ..kit.problems import Conflict, Invalid, NotFound


class AlreadyContributed(Conflict):
    """The seller has a contribution to this request that was not withdrawn."""

    slug, title = "already-contributed", "Already answered"


class CapExceeded(Conflict):
    """A cap of the seller's dataset stands against it; `cap` names it."""

    slug, title = "cap-exceeded", "Cap exceeded"


class ModeNotOffered(Invalid):
    """The request does not take answers of this mode."""

    slug, title = "mode-not-offered", "Mode not offered"


class NoScoresWithNoise(Invalid):
    """Answers carry noise, which scores would undo."""

    slug, title = "no-scores-with-noise", "No scores with noise"


class ContributionNotDraft(Conflict):
    """The contribution was submitted, declined or withdrawn, so it cannot change."""

    slug, title = "contribution-not-draft", "Contribution not a draft"


class WrongMode(Conflict):
    """The contribution answers in another mode."""

    slug, title = "wrong-mode", "Wrong mode"


class UnknownSweepValue(NotFound):
    """The request's sweep has no such s."""

    slug, title = "unknown-sweep-value", "Unknown sweep value"


class ArraysMissing(Conflict):
    """Some s of the sweep have no array yet."""

    slug, title = "arrays-missing", "Arrays missing"


class ScalarsMissing(Conflict):
    """The contribution answers by scalars, and they have not come yet."""

    slug, title = "scalars-missing", "Scalars missing"


class OtherSweep(Invalid):
    """The scalars are of other values of s than the request's sweep."""

    slug, title = "other-sweep", "Other sweep"


class WeightsDiffer(Conflict):
    """The arrays of different s weigh the same points differently."""

    slug, title = "weights-differ", "Weights differ"


class ContributionUsed(Conflict):
    """An evaluation that waits, runs or has succeeded uses the contribution: it stays."""

    slug, title = "contribution-used", "Contribution used"


class ContributionEnded(Conflict):
    """The contribution was declined or withdrawn before."""

    slug, title = "contribution-ended", "Contribution ended"
