"""Columns without names are called by their positions, in words."""

import pytest

from wassay.audit.ordinals import columns_in_words, ordinal


@pytest.mark.parametrize(
    ("index", "word"),
    [(0, "first"), (9, "tenth"), (10, "11th"), (12, "13th"), (20, "21st"), (111, "112th")],
)
def test_places_are_counted_from_one(index: int, word: str) -> None:
    assert ordinal(index) == word


def test_few_columns_are_all_named_and_of_many_the_number() -> None:
    assert columns_in_words([0], most=3) == "the first column"
    assert columns_in_words([0, 1, 11], most=3) == "the first, second and 12th columns"
    assert columns_in_words([0, 1, 4, 5, 6], most=3) == (
        "the first, second, fifth and 2 more columns"
    )
