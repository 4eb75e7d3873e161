"""The exception that readers of formats raise; callers add the file's name to the message."""

from wassay.errors import WassayError


class Unreadable(WassayError):  # noqa: N818 - reads better
    """A file cannot be read as points; the message says what was expected and what to do."""
