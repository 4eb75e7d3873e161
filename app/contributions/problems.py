"""Problems with the state of a contribution, or with its uploads."""

from ..http.problems import Conflict, Invalid, NotFound


class AlreadyContributed(Conflict):
    """The seller already has an unwithdrawn contribution to this request."""

    slug, title = "already-contributed", "Already contributed"


class CapExceeded(Conflict):
    """A cap of the seller's dataset forbids the call; `cap` names the cap."""

    slug, title = "cap-exceeded", "Cap exceeded"


class ModeNotOffered(Invalid):
    """The request does not accept contributions in this mode."""

    slug, title = "mode-not-offered", "Mode not offered"


class NoScoresWithNoise(Invalid):
    """The draft allows scores, but the request's results carry noise, which scores would undo."""

    slug, title = "no-scores-with-noise", "No scores with noise"


class ContributionNotDraft(Conflict):
    """The contribution cannot change, because it was submitted, declined or withdrawn."""

    slug, title = "contribution-not-draft", "Contribution not a draft"


class WrongMode(Conflict):
    """The upload belongs to another mode than the contribution's."""

    slug, title = "wrong-mode", "Wrong mode"


class UnknownSweepValue(NotFound):
    """The request's sweep has no such s."""

    slug, title = "unknown-sweep-value", "Unknown sweep value"


class ArraysMissing(Conflict):
    """Arrays are missing for some s of the sweep."""

    slug, title = "arrays-missing", "Arrays missing"


class ScalarsMissing(Conflict):
    """The scalars have not been uploaded yet."""

    slug, title = "scalars-missing", "Scalars missing"


class OtherSweep(Invalid):
    """The scalars have other values of s than the request's sweep."""

    slug, title = "other-sweep", "Other sweep"


class WeightsDiffer(Conflict):
    """The weights differ between values of s."""

    slug, title = "weights-differ", "Weights differ"


class ContributionUsed(Conflict):
    """The contribution cannot be withdrawn, because an evaluation uses it.

    The evaluation is waiting or running, or has ended and the request is still open.
    """

    slug, title = "contribution-used", "Contribution used"


class ContributionEnded(Conflict):
    """The contribution has already been declined or withdrawn."""

    slug, title = "contribution-ended", "Contribution ended"
