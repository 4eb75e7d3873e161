"""Name columns by their position, in words."""

from collections.abc import Sequence

_WORDS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(index: int) -> str:
    """Return the place of an index that counts from 0: "first", …, "tenth", "11th"."""
    if index < len(_WORDS):
        return _WORDS[index]
    place = index + 1
    teens = 10 < place % 100 < 14
    return f"{place}{'th' if teens else _ENDINGS.get(place % 10, 'th')}"


def columns_in_words(indices: Sequence[int], most: int) -> str:
    """Return "the first column" or "the first, second and 12th columns", and how many more."""
    names = [ordinal(index) for index in indices[:most]]
    more = len(indices) - len(names)
    if more:
        return f"the {', '.join(names)} and {more} more columns"
    *others, last = names
    return f"the {', '.join(others)} and {last} columns" if others else f"the {last} column"
