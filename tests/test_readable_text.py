"""Text that other accounts read contains nothing that acts on their terminals."""

import pytest
from pydantic import TypeAdapter, ValidationError

from wassay.readable_text import Line, Text

LINE, TEXT = TypeAdapter(Line), TypeAdapter(Text)


@pytest.mark.parametrize(
    "character",
    ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\u202e", "\u2066"],
)
def test_control_characters_are_refused_and_named(character: str) -> None:
    for kind in (LINE, TEXT):
        with pytest.raises(ValidationError, match=f"received U\\+{ord(character):04X} at index 4"):
            kind.validate_python(f"Cole{character}[8m")


@pytest.mark.parametrize("character", ["\n", "\r", "\t"])
def test_only_descriptions_may_have_line_breaks(character: str) -> None:
    text = f"one{character}two"
    assert TEXT.validate_python(text) == text
    with pytest.raises(ValidationError):
        LINE.validate_python(text)


@pytest.mark.parametrize(
    "character",
    ["\u00ad", "\u034f", "\u200b", "\u200c", "\u200d", "\u2060", "\u3164", "\ufe0f", "\U000e0041"],
)
def test_names_contain_nothing_that_nobody_sees(character: str) -> None:
    with pytest.raises(ValidationError, match=f"received U\\+{ord(character):04X} at index 4"):
        LINE.validate_python(f"Cole{character}man")


@pytest.mark.parametrize(
    "text",
    [
        "❤️ data",
        "क्‍ष",
        "Zoë – 15 % “noise”",
        "数据",
        "بيانات",
        "می‌خواهم",
        "👩‍🔬 data",
    ],
)
def test_text_in_every_script_is_accepted(text: str) -> None:
    assert LINE.validate_python(text) == text
