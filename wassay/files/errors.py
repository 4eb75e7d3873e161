"""What readers of formats raise, who do not know the file's name."""


class Unreadable(Exception):  # noqa: N818 - named for what it says
    """A file that holds something else; the message says what was expected, and what to do."""
