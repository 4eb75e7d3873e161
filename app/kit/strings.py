"""Text that others read: bounded, and free of characters that act instead of being read.

A label is shown beside other people's, on terminals too, where control characters could hide or
rewrite lines that are not its own; and Postgres cannot store NUL.
"""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

LINE_BREAKS = frozenset("\n\r\t")
DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""What reorders the text around it (Unicode Standard Annex 9)."""


def _acts(character: str) -> bool:
    return (
        unicodedata.category(character) in {"Cc", "Zl", "Zp"}
        or unicodedata.bidirectional(character) in DIRECTIONS
    )


def _readable(text: str, allowed: frozenset[str]) -> str:
    for index, character in enumerate(text):
        if character not in allowed and _acts(character):
            raise ValueError(
                "expected text without control characters or ones that reorder text; "
                f"U+{ord(character):04X} came at {index}"
            )
    return text


def _readable_line(text: str) -> str:
    return _readable(text, frozenset())


def _readable_text(text: str) -> str:
    return _readable(text, LINE_BREAKS)


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_readable_line),
]
"""A name, a title, a label: 1 to 200 characters on one line, without blanks around it."""

Text = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_readable_text)]
"""A description: up to 10,000 characters, as it came, which may break lines."""
