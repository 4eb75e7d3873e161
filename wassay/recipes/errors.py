"""The error that recipes raise."""

from wassay.errors import WassayError


class RecipeError(WassayError, ValueError):
    """A recipe or a frame is not what was expected; the message says what to do."""
