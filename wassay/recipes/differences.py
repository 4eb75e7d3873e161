"""The differences between a frame and a recipe: each is a record with a sentence for people.

The functions build one kind of difference each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wassay.recipes.columns import quoted

DifferenceKind: TypeAlias = Literal[
    "missing",
    "renamed",
    "extra",
    "index",
    "retyped",
    "empty",
    "swapped",
    "unit",
    "unknown-categories",
    "out-of-range",
    "repeated",
]

HARMLESS: frozenset[DifferenceKind] = frozenset({"extra", "index"})
"""The kinds that leave the points unchanged."""


@dataclass(frozen=True)
class Difference:
    """One way in which a frame differs from what a recipe expects.

    Attributes
    ----------
    kind : DifferenceKind
        missing (no column has the field's name), renamed (one has a similar name), extra (the
        recipe does not read the column), index (the column names or numbers the rows), retyped
        (its values are of another type), empty (rows have no value), swapped (two columns fit each
        other's field), unit (the values fit if multiplied by a power of ten, or images use less
        than a tenth of their range), unknown-categories, out-of-range, or repeated (rows equal
        earlier ones, unlike the buyer's).
    field : str or None
        The recipe's field; None if there is none.
    column : str or None
        The frame's column; None if there is none.
    sentence : str
        What was expected, what was received, and what to do.
    share : float or None
        The share of rows that differ; None if all do.
    factor : float or None
        The number to multiply the column by if its unit differs; else None.
    """

    kind: DifferenceKind
    field: str | None
    column: str | None
    sentence: str
    share: float | None = None
    factor: float | None = None

    def __str__(self) -> str:
        return self.sentence

    @property
    def harmless(self) -> bool:
        """Whether the points are the same with and without this difference."""
        return self.kind in HARMLESS


def missing(field: str, others: list[str]) -> Difference:
    """Report that no column has the field's name or a similar one; `others` fit no field."""
    advice = (
        f", or say which of {quoted(others)} it is (rename={{{others[0]!r}: {field!r}}})"
        if others
        else ""
    )
    return Difference(
        "missing", field, None, f"expected a column {field!r}, received none: add it{advice}"
    )


def renamed(field: str, column: str) -> Difference:
    """Report that a column's name is similar to the field's."""
    return Difference(
        "renamed",
        field,
        column,
        f"expected a column {field!r}, received {column!r}: if they are the same, pass "
        f"rename={{{column!r}: {field!r}}}",
    )


def unread(column: str) -> Difference:
    """Report that the recipe does not read a column."""
    return Difference(
        "extra", None, column, f"column {column!r} is not in the recipe, and is left out"
    )


def index(column: str) -> Difference:
    """Report that a column names or numbers the rows."""
    return Difference(
        "index", None, column, f"column {column!r} names or numbers the rows, and is left out"
    )


def retyped(field: str, sentence: str) -> Difference:
    """Report that a column's values are not of the field's kind."""
    return Difference("retyped", field, field, sentence)


def empty(field: str, share: float) -> Difference:
    """Report that rows have no value, which the recipe refuses."""
    return Difference(
        "empty",
        field,
        field,
        f"expected a value in every row of column {field!r}, received none in {share:.1%}: remove "
        "these rows, or ask the buyer for a recipe with missing='indicator' for this field",
        share=share,
    )


def swapped(field: str, column: str) -> Difference:
    """Report that two columns fit each other's field better than their own."""
    return Difference(
        "swapped",
        field,
        column,
        f"columns {field!r} and {column!r} seem to be swapped: the values of each are like the "
        f"buyer's values of the other. If they are, pass rename={{{field!r}: {column!r}, "
        f"{column!r}: {field!r}}}",
    )


def other_unit(field: str, factor: float, unit: str | None) -> Difference:
    """Report that values fit if multiplied by a power of ten."""
    return Difference(
        "unit",
        field,
        field,
        f"expected {unit or 'the unit of the buyer'} in column {field!r}, received values that "
        f"fit if multiplied by {factor:g}: if their unit differs, pass "
        f"factors={{{field!r}: {factor:g}}}",
        factor=factor,
    )


def other_brightness(
    field: str, low: float, high: float, expected: tuple[float, float]
) -> Difference:
    """Report that images use little of the range that means black to white."""
    return Difference(
        "unit",
        field,
        field,
        f"expected images in column {field!r} whose values from {expected[0]:g} to {expected[1]:g} "
        f"mean black to white, received {low:g} to {high:g}: scale them",
    )


def unknown_categories(field: str, share: float, examples: list[str]) -> Difference:
    """Report that rows have categories that are unknown to the recipe."""
    return Difference(
        "unknown-categories",
        field,
        field,
        f"{share:.1%} of rows have categories in column {field!r} that the buyer does not have, "
        f"such as {quoted(examples, 3)}: rename those that mean the same",
        share=share,
    )


def out_of_range(field: str, share: float) -> Difference:
    """Report that values lie far outside of the buyer's range."""
    return Difference(
        "out-of-range",
        field,
        field,
        f"{share:.1%} of values in column {field!r} lie far outside of the buyer's range: check "
        "their unit, and codes such as −999 for missing values",
        share=share,
    )


def repeated(share: float) -> Difference:
    """Report that rows equal earlier ones, which the buyer's rows rarely do."""
    return Difference(
        "repeated",
        None,
        None,
        f"{share:.1%} of rows equal earlier ones in all columns that the recipe reads, which the "
        "buyer's rarely do: remove copies, since each counts, and the service sees which points "
        "are equal",
        share=share,
    )
