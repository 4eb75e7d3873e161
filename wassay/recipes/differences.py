"""What differs between a frame and a recipe, as data and as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wassay.recipes.columns import said

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
]

HARMLESS: frozenset[DifferenceKind] = frozenset({"extra", "index"})
"""Columns that the recipe does not read."""


@dataclass(frozen=True)
class Difference:
    """One way in which a frame differs from what a recipe expects.

    Attributes
    ----------
    kind : DifferenceKind
        missing (no such column), renamed (a column of a similar name is there), extra (a column
        that the recipe does not read), index (names or numbers of rows), retyped (another type),
        empty (missing values), swapped (two columns fit each other's place), unit (a column is
        the buyer's times a power of ten), unknown-categories, or out-of-range.
    field : str or None
        The recipe's field; None if there is none.
    column : str or None
        The frame's column; None if there is none.
    sentence : str
        What was expected, what was received, and what to do.
    share : float or None
        The share of rows concerned, if only some are.
    factor : float or None
        What the column must be multiplied by, if its unit differs.
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
        """Whether the points are the same without it."""
        return self.kind in HARMLESS


def missing(field: str, columns: list[str]) -> Difference:
    """No column has the field's name, or one like it."""
    return Difference(
        "missing",
        field,
        None,
        f"expected a column {field!r}, received {said(columns)}: add it, or name the column that "
        f"holds it (rename={{'yours': {field!r}}})",
    )


def renamed(field: str, column: str) -> Difference:
    """A column has a name like the field's."""
    return Difference(
        "renamed",
        field,
        column,
        f"expected a column {field!r}, received {column!r}: if it is the same, "
        f"rename={{{column!r}: {field!r}}}",
    )


def unread(column: str) -> Difference:
    """The recipe reads no column of this name."""
    return Difference("extra", None, column, f"column {column!r} is not in the recipe: left out")


def index(column: str) -> Difference:
    """The column names or numbers rows."""
    return Difference("index", None, column, f"column {column!r} names the rows: left out")


def retyped(field: str, sentence: str) -> Difference:
    """The column's values are not of the field's kind."""
    return Difference("retyped", field, field, sentence)


def empty(field: str, share: float) -> Difference:
    """Rows have no value, and the recipe refuses that."""
    return Difference(
        "empty",
        field,
        field,
        f"expected a value in every row of column {field!r}, received none in {share:.1%}: remove "
        "these rows, or ask the buyer for a recipe with missing='indicator' for this field",
        share=share,
    )


def swapped(field: str, column: str) -> Difference:
    """The values of two columns fit each other's fields."""
    return Difference(
        "swapped",
        field,
        column,
        f"columns {field!r} and {column!r} seem to be swapped: each has values like the buyer's "
        f"other; if so, rename={{{field!r}: {column!r}, {column!r}: {field!r}}}",
    )


def other_unit(field: str, factor: float, unit: str | None) -> Difference:
    """The values are the buyer's, divided by a power of ten."""
    return Difference(
        "unit",
        field,
        field,
        f"expected {unit or 'the unit of the buyer'} in column {field!r}, received values that "
        f"fit if multiplied by {factor:g}: if the unit differs, factors={{{field!r}: {factor:g}}}",
        factor=factor,
    )


def unknown_categories(field: str, share: float, examples: list[str]) -> Difference:
    """Rows have categories that the buyer's rows do not have, or rarely."""
    return Difference(
        "unknown-categories",
        field,
        field,
        f"{share:.1%} of rows have categories in column {field!r} that the buyer does not have, "
        f"such as {said(examples, 3)}: rename those that mean the same",
        share=share,
    )


def out_of_range(field: str, share: float) -> Difference:
    """Values lie far outside of the buyer's."""
    return Difference(
        "out-of-range",
        field,
        field,
        f"{share:.1%} of values in column {field!r} lie far outside of the buyer's range: check "
        "their unit, and codes such as −999 for missing values",
        share=share,
    )
