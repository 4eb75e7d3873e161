"""The error that readers of formats raise; their caller adds the file's name."""

from wassay.errors import WassayError


class Unreadable(WassayError):  # noqa: N818 - reads better
    """A file does not hold points; the message says what was expected, received, and what to do."""
