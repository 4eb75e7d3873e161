"""Bounded text without control characters.

Labels of one account are printed on terminals of others, where control characters could hide or
rewrite other lines. Postgres cannot store NUL.
"""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

LINE_BREAKS = frozenset("\n\r\t")
DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional controls, which reorder the text around them (Unicode Standard Annex 9)."""


def _is_control(character: str) -> bool:
    return (
        unicodedata.category(character) in {"Cc", "Zl", "Zp"}
        or unicodedata.bidirectional(character) in DIRECTIONS
    )


def _readable(text: str, allowed: frozenset[str]) -> str:
    for index, character in enumerate(text):
        if character not in allowed and _is_control(character):
            raise ValueError(
                "expected text without control or bidirectional control characters; "
                f"received U+{ord(character):04X} at index {index}"
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
"""A name, title or label: 1 to 200 characters on one line; surrounding blanks are stripped."""

Text = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_readable_text)]
"""A description: up to 10,000 characters, line breaks allowed; stored unchanged."""
