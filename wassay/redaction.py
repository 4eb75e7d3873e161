"""Remove keys and passwords from messages and logs."""

import re

_KEY = re.compile(r"wsy_[\w-]+")
_USER = re.compile(r"""(?<=://)[^\s"'<>]*@""")


def redacted(text: str) -> str:
    """Replace API keys, and the user and password in URLs, by an ellipsis (…)."""
    return _USER.sub("…@", _KEY.sub("wsy_…", text))
