"""Problems with the state of a request, or with its terms."""

from ..http.problems import Conflict, Forbidden, Invalid


class RequestNotDraft(Conflict):
    """The request is no longer a draft, so it cannot change."""

    slug, title = "request-not-draft", "Request not a draft"


class RequestNotOpen(Conflict):
    """The request is not open, so it accepts no contributions."""

    slug, title = "request-not-open", "Request not open"


class RequestExpired(Conflict):
    """The draft cannot be opened, because its `expires_at` has passed."""

    slug, title = "request-expired", "Request expired"


class MeasureMissing(Conflict):
    """The buyer's measure has not been uploaded yet."""

    slug, title = "measure-missing", "Measure missing"


class MeasureNotRevealed(Invalid):
    """A mode needs sellers to download the buyer's measure, but `reveals_measure` is false."""

    slug, title = "measure-not-revealed", "Measure not revealed"


class OrderNotInMode(Invalid):
    """A mode does not support the request's order (the p of W_p)."""

    slug, title = "order-not-in-mode", "Order not in mode"


class NoiseNotPossible(Invalid):
    """Noise needs order 2, only the mode `measure`, a reference of one point, and no scores."""

    slug, title = "noise-not-possible", "Noise not possible"


class LabelsNotPossible(Invalid):
    """The request's terms do not allow its labels or class names."""

    slug, title = "labels-not-possible", "Labels not possible"


class RecipeNotPossible(Invalid):
    """A recipe needs a sealed reference for raw points of the recipe's dimension."""

    slug, title = "recipe-not-possible", "Recipe not possible"


class ReferenceOpen(Conflict):
    """The request's reference is open, so there is no key to seal."""

    slug, title = "reference-open", "Reference open"


class NotInvited(Forbidden):
    """The request is only for invited sellers, and the caller is not invited."""

    slug, title = "not-invited", "Not invited"
