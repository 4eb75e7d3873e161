"""Problems of contributions: their state and their uploads."""

from ..http.problems import Conflict, Invalid, NotFound


class AlreadyContributed(Conflict):
    """The seller already has a contribution to this request that is not withdrawn."""

    slug, title = "already-contributed", "Already contributed"


class CapExceeded(Conflict):
    """A cap of the seller's dataset forbids this; `cap` names it."""

    slug, title = "cap-exceeded", "Cap exceeded"


class ModeNotOffered(Invalid):
    """The request does not take contributions in this mode."""

    slug, title = "mode-not-offered", "Mode not offered"


class NoScoresWithNoise(Invalid):
    """Results carry noise, which scores would undo."""

    slug, title = "no-scores-with-noise", "No scores with noise"


class ContributionNotDraft(Conflict):
    """The contribution was submitted, declined or withdrawn, so it cannot change."""

    slug, title = "contribution-not-draft", "Contribution not a draft"


class WrongMode(Conflict):
    """The contribution is in another mode."""

    slug, title = "wrong-mode", "Wrong mode"


class UnknownSweepValue(NotFound):
    """The request's sweep has no such s."""

    slug, title = "unknown-sweep-value", "Unknown sweep value"


class ArraysMissing(Conflict):
    """Arrays of the sweep were not uploaded yet."""

    slug, title = "arrays-missing", "Arrays missing"


class ScalarsMissing(Conflict):
    """The scalars were not uploaded yet."""

    slug, title = "scalars-missing", "Scalars missing"


class OtherSweep(Invalid):
    """The scalars are of other values of s than the request's sweep."""

    slug, title = "other-sweep", "Other sweep"


class WeightsDiffer(Conflict):
    """The weights differ between values of s."""

    slug, title = "weights-differ", "Weights differ"


class ContributionUsed(Conflict):
    """An evaluation waits or runs with the contribution, or has used it and its request is open."""

    slug, title = "contribution-used", "Contribution used"


class ContributionEnded(Conflict):
    """The contribution was already declined or withdrawn."""

    slug, title = "contribution-ended", "Contribution ended"
