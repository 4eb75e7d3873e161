"""Text from other accounts and from the service has no effect on terminals."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from wassay.control_characters import escape_control_characters
from wassay.table import table


@given(st.text())
def test_no_control_reaches_a_terminal(text: str) -> None:
    # Category C: controls, formats (such as the order of writing), surrogates, unassigned.
    assert all(
        each == "\n" or unicodedata.category(each)[0] != "C"
        for each in escape_control_characters(text)
    )


def test_printable_text_stays_unchanged() -> None:
    for text in ("η_μ(t₀), 15 %", "Größe 数据 — ‘quoted’", "two\nlines"):
        assert escape_control_characters(text) == text
    assert escape_control_characters("\x1b[2K\rforged\u202e") == "\\x1b[2K\\rforged\\u202e"


def test_columns_stay_straight_beside_a_name_that_would_erase_its_line() -> None:
    head, _, first, second = table(["seller", "points"], [["a\x1b[2K", "1"], ["b", "22"]]).split(
        "\n"
    )
    assert head == "seller    points"
    assert (first, second) == ("a\\x1b[2K       1", "b             22")
