"""Numbers in addresses."""

import re

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def number(text: str) -> float:
    """Read a number as JSON writes it; Python's own ways (``0.2_5``, ``inf``) are not for others.

    Raises
    ------
    ValueError
        When it is none.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected a number such as 0.25; received {text!r}")
    return float(text)
