"""What can be wrong with a request's state or its terms."""

from ..kit.problems import Conflict, Forbidden, Invalid


class RequestNotDraft(Conflict):
    """The request is no longer a draft, so nothing about it can change."""

    slug, title = "request-not-draft", "Request not a draft"


class RequestNotOpen(Conflict):
    """The request takes no answers: it is not open yet, or no longer."""

    slug, title = "request-not-open", "Request not open"


class RequestExpired(Conflict):
    """The time at which the request expires has passed."""

    slug, title = "request-expired", "Request expired"


class MeasureMissing(Conflict):
    """The buyer's measure was not uploaded."""

    slug, title = "measure-missing", "Measure missing"


class MeasureNotRevealed(Invalid):
    """A mode needs sellers to download the buyer's measure; the buyer has not agreed to it."""

    slug, title = "measure-not-revealed", "Measure not revealed"


class OrderNotInMode(Invalid):
    """A mode cannot hold contributions to a request of this order."""

    slug, title = "order-not-in-mode", "Order not in mode"


class NoiseNotPossible(Invalid):
    """Noise of a known size goes with order 2, the mode measure, and a reference of one point."""

    slug, title = "noise-not-possible", "Noise not possible"


class LabelsNotPossible(Invalid):
    """Labels go with order 2, the modes cost-block and scalar, and a reference of one point."""

    slug, title = "labels-not-possible", "Labels not possible"


class ReferenceOpen(Conflict):
    """The request's reference is open: there is no key to seal."""

    slug, title = "reference-open", "Reference open"


class NotInvited(Forbidden):
    """The request is for invited sellers, and the caller is not, or no longer, one of them."""

    slug, title = "not-invited", "Not invited"
