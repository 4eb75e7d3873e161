"""Parse numbers in URLs."""

import re

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def parse_number(text: str) -> float:
    """Parse a non-negative JSON number; reject what only Python accepts (``0.2_5``, ``inf``).

    Raises
    ------
    ValueError
        If the text is not such a number.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError("expected a number such as 0.25")
    return float(text)
