"""Name columns by their position or by their name, in words."""

from collections.abc import Sequence

_WORDS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(index: int) -> str:
    """Return the ordinal of an index that counts from 0: "first", …, "tenth", "11th", …."""
    if index < len(_WORDS):
        return _WORDS[index]
    place = index + 1
    teens = 10 < place % 100 < 14
    return f"{place}{'th' if teens else _ENDINGS.get(place % 10, 'th')}"


def columns_in_words(indices: Sequence[int], most: int) -> str:
    """Return words such as "the first and 12th columns".

    At most `most` columns are named; the others are counted.
    """
    names = [ordinal(index) for index in indices[:most]]
    more = len(indices) - len(names)
    if more:
        return f"the {', '.join(names)} and {more} more columns"
    *others, last = names
    return f"the {', '.join(others)} and {last} columns" if others else f"the {last} column"


def fields_in_words(names: Sequence[str], most: int) -> str:
    """Return words such as "the fields 'a' and 'b'".

    At most `most` fields are named; the others are counted.
    """
    named = [repr(name) for name in names[:most]]
    more = len(names) - len(named)
    if more:
        return f"the fields {', '.join(named)} and {more} more"
    *others, last = named
    return f"the fields {', '.join(others)} and {last}" if others else f"the field {last}"
