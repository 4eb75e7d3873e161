"""Types of text: `Text` has no control characters, and `Line` has no invisible ones either.

Control characters could rewrite lines on other accounts' terminals.
"""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

LINE_BREAKS = frozenset("\n\r\t")
ZERO_WIDTH_JOINER = "\u200d"
JOINERS = frozenset({"\u200c", ZERO_WIDTH_JOINER})
"""Characters that join emoji or change Arabic and Indic letters (RFC 5892, appendix A).
"""
VARIATIONS = frozenset({"\ufe0e", "\ufe0f"})
SIGNS = frozenset({"So", "Sk"})
"""The Unicode categories of emoji and of their skin tones."""
VIRAMA = 9
"""The combining class of signs after which a joiner chooses a letter's form."""
# Names that differ only in invisible characters look equal.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Invisible characters: Unicode's Default_Ignorable_Code_Point, and the blank of Braille."""
DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Characters that reorder the text around them (Unicode Standard Annex 9, bidirectional controls).
"""


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
    return require_visible_text(_readable(text, frozenset()))


def require_visible_text(text: str) -> str:
    """Return the text; raise `ValueError` if it has invisible characters.

    Invisible characters that change how their neighbours look are allowed, such as a joiner of
    emoji.
    """
    for index, character in enumerate(text):
        if INVISIBLE.match(character) and not _changes_neighbours(text, index):
            raise ValueError(
                f"expected text without invisible characters; received U+{ord(character):04X} at "
                f"index {index}"
            )
    return text


def _changes_neighbours(text: str, index: int) -> bool:
    """Return whether the invisible character at `index` changes how its neighbours look."""
    before, after = text[index - 1 : index] if index else "", text[index + 1 : index + 2]
    # A variation selector changes the sign before it.
    if text[index] in VARIATIONS:
        return unicodedata.category(before or " ") in {"So", "Sm", "Po"}
    # A joiner joins two emoji, or changes the form of Arabic and Indic letters.
    if text[index] not in JOINERS or not before or not after:
        return False
    if unicodedata.combining(before) == VIRAMA:
        return True
    if unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":
        return True
    before_sign = "So" if before in VARIATIONS else unicodedata.category(before)
    return text[index] == ZERO_WIDTH_JOINER and {before_sign, unicodedata.category(after)} <= SIGNS


def require_readable_text(text: str) -> str:
    """Return the text; raise `ValueError` if it has control characters.

    Line breaks and tabs are allowed, but not characters that reorder the text around them.
    """
    return _readable(text, LINE_BREAKS)


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_readable_line),
]
"""A name, title or label: 1 to 200 characters on one line, without surrounding blanks."""

Text = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(require_readable_text)]
"""A description: up to 10,000 characters, which may contain line breaks, stored unchanged."""
