"""The error that recipes raise."""


class RecipeError(ValueError):
    """A recipe or a frame is not what was expected; the message says what to do."""
