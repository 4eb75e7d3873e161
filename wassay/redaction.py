"""Text without keys and passwords, for messages and logs."""

import re

_KEY = re.compile(r"wsy_[\w-]+")
_USER = re.compile(r"""(?<=://)[^\s"'<>]*@""")


def redacted(text: str) -> str:
    """Put … in the place of API keys, and of the user and password of addresses."""
    return _USER.sub("…@", _KEY.sub("wsy_…", text))
