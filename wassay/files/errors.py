"""The error that readers of formats raise, before the file's name is added."""

from wassay.errors import WassayError


class Unreadable(WassayError):  # noqa: N818 - reads better
    """A file does not hold points; the message says what was expected, received, and what to do."""
