"""The differences between a table and a recipe, each with a sentence for people.

Each function builds a difference of one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as member
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import quoted
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.odd_rows import first_rows, in_rows

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
    "unknown-classes",
    "missing-code",
    "out-of-range",
    "repeated",
]

Odd: TypeAlias = NDArray[np.bool_]
"""Marks the rows that differ, shape (n,)."""

_MOST_EXAMPLES = 3

HARMLESS: frozenset[DifferenceKind] = frozenset({"extra", "index"})
"""The kinds of differences that leave the points unchanged."""


@dataclass(frozen=True)
class Difference:
    """One way in which a frame differs from what a recipe expects.

    Attributes
    ----------
    kind : DifferenceKind
        - ``missing``: no column has the field's name.
        - ``renamed``: a column has a name similar to the field's.
        - ``extra``: the recipe does not read the column.
        - ``index``: the recipe does not read the column, which names or numbers the rows.
        - ``retyped``: the values are not of the field's kind.
        - ``empty``: rows have no value in a field that must have one.
        - ``swapped``: two columns fit each other's field better than their own.
        - ``unit``: the values fit if multiplied by a power of ten, or images use less than a tenth
          of the expected range.
        - ``unknown-categories``: rows have categories that the recipe does not name.
        - ``unknown-classes``: rows have labels that the buyer does not have.
        - ``missing-code``: a value such as −999 is repeated and looks like a code for missing
          values.
        - ``out-of-range``: values are far outside of the buyer's range.
        - ``repeated``: rows equal earlier rows, which is rare among the buyer's.
    field : str or None
        The recipe's field; None if there is none.
    column : str or None
        The frame's column; None if there is none.
    sentence : str
        What was expected, what was received, and what to do.
    share : float or None
        The share of rows that differ; None if the whole column differs. For unknown categories,
        missing codes and values out of range, the share among the rows with a value.
    factor : float or None
        The number to multiply the column by; None unless its unit differs.
    rows : tuple of int
        The numbers of the first five rows that differ, from 0; empty if the whole column differs.
    count : int
        How many rows differ; 0 if the whole column differs.
    spellings : mapping of str to str
        By unknown category or class, the buyer's spelling, if only the spelling differs.
    """

    kind: DifferenceKind
    field: str | None
    column: str | None
    sentence: str
    share: float | None = None
    factor: float | None = None
    rows: tuple[int, ...] = ()
    count: int = 0
    spellings: Mapping[str, str] = member(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.sentence + in_rows(self.rows, self.count)

    @property
    def name(self) -> str:
        """The name by which a seller accepts this difference: ``kind`` or ``kind:field``."""
        return self.kind if self.field is None else f"{self.kind}:{self.field}"

    @property
    def harmless(self) -> bool:
        """Whether the points are the same with and without this difference."""
        return self.kind in HARMLESS

    def renumbered(self, rows: Sequence[int] | NDArray[np.int64]) -> Difference:
        """Convert row numbers of a sample to row numbers of the whole table.

        Parameters
        ----------
        rows : sequence of int
            For each sampled row, its number in the whole table.

        Returns
        -------
        Difference
        """
        return replace(self, rows=tuple(int(rows[row]) for row in self.rows))


def missing(field: str, others: list[str]) -> Difference:
    """Build the difference for a field without a column.

    The sentence suggests `others`, the columns that no field reads.
    """
    advice = (
        f", or say which of {quoted(others)} it is (rename={{{others[0]!r}: {field!r}}})"
        if others
        else ""
    )
    return Difference(
        "missing", field, None, f"expected a column {field!r}, received none: add it{advice}"
    )


def renamed(field: str, column: str) -> Difference:
    """Build the difference for a field without a column; `column` has a name like the field's."""
    return Difference(
        "renamed",
        field,
        column,
        f"expected a column {field!r}, received {column!r}: if they are the same, pass "
        f"rename={{{column!r}: {field!r}}}",
    )


def unread(column: str) -> Difference:
    """Build the difference for a column that the recipe does not read."""
    return Difference(
        "extra", None, column, f"column {column!r} is not in the recipe, and is left out"
    )


def index(column: str) -> Difference:
    """Build the difference for a column that names or numbers the rows."""
    return Difference(
        "index", None, column, f"column {column!r} names or numbers the rows, and is left out"
    )


def retyped(field: str, error: RecipeError) -> Difference:
    """Build the difference for a column whose values are not of the field's kind.

    `error` was raised when the values were read.
    """
    if isinstance(error, UnreadableError):
        return _of_rows("retyped", field, error.sentence, error.odd)
    return Difference("retyped", field, field, str(error))


def empty(field: str, missing: Odd) -> Difference:
    """Build the difference for a field that must have a value in every row.

    `missing` marks the rows without a value.
    """
    return _of_rows(
        "empty",
        field,
        f"expected a value in every row of column {field!r}, received none in "
        f"{missing.mean():.1%}: remove these rows, or ask the buyer for a recipe with "
        "missing='indicator' for this field",
        missing,
    )


def unlabelled(field: str, missing: Odd) -> Difference:
    """Build the difference for a field of labels that must have a label in every row.

    `missing` marks the rows without a label.
    """
    return _of_rows(
        "empty",
        field,
        f"expected a label in every row of column {field!r}, received none in "
        f"{missing.mean():.1%}: label these rows, or remove them",
        missing,
    )


def swapped(field: str, column: str) -> Difference:
    """Build the difference for the fields `field` and `column`, whose columns seem swapped."""
    return Difference(
        "swapped",
        field,
        column,
        f"columns {field!r} and {column!r} seem to be swapped: the values of each are like the "
        f"buyer's values of the other. If they are, pass rename={{{field!r}: {column!r}, "
        f"{column!r}: {field!r}}}",
    )


def other_unit(field: str, factor: float, unit: str | None) -> Difference:
    """Build the difference for a column whose values fit the field if multiplied by `factor`.

    `unit` is the field's unit, if the recipe names one.
    """
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
    """Build the difference for images that use little of the `expected` range.

    The images' values are from `low` to `high`.
    """
    return Difference(
        "unit",
        field,
        field,
        f"expected images in column {field!r} whose values from {expected[0]:g} to {expected[1]:g} "
        f"mean black to white, received {low:g} to {high:g}: scale them",
    )


def unknown_categories(
    field: str, odd: Odd, share: float, unknown: list[str], spellings: Mapping[str, str]
) -> Difference:
    """Build the difference for the rows whose categories the recipe does not name (`odd`).

    `share` is the share of these rows among those with a value; `spellings` has the buyer's
    spelling of some `unknown` categories.
    """
    difference = _of_rows(
        "unknown-categories",
        field,
        f"{share:.1%} of rows have categories in column {field!r} that the buyer does not have, "
        f"such as {_respelt(unknown, spellings)}: rename those that mean the same",
        odd,
    )
    return replace(difference, share=share, spellings=spellings)


def unknown_classes(
    field: str | None,
    odd: Odd,
    unknown: list[str],
    spellings: Mapping[str, str],
    known: list[str],
) -> Difference:
    """Build the difference for the rows whose labels are none of the `known` ones (`odd`).

    `field` is None if labels do not come from a field; `spellings` has the buyer's spelling of some
    `unknown` labels.
    """
    where = "among the labels" if field is None else f"in column {field!r}"
    difference = _of_rows(
        "unknown-classes",
        field,
        f"expected the buyer's classes {where}, {quoted(known, 5)}, received others in "
        f"{odd.mean():.1%} of rows, such as {_respelt(unknown, spellings)}: rename those that mean "
        "the same, since a label that the buyer does not have counts as wrong",
        odd,
    )
    return replace(difference, spellings=spellings)


def missing_code(field: str, odd: Odd, share: float, codes: list[str], allowed: bool) -> Difference:
    """Build the difference for the rows whose values look like codes for missing values (`odd`).

    `share` is the share of these rows among those with a value; `allowed` says whether rows may
    lack a value.
    """
    looks = "looks like a code" if len(codes) == 1 else "look like codes"
    remedy = "put None in its place" if allowed else "remove these rows"
    difference = _of_rows(
        "missing-code",
        field,
        f"{share:.1%} of values in column {field!r} are {' or '.join(codes)}, which {looks} for "
        f"missing values: the buyer hardly has such values. If they are missing, {remedy}",
        odd,
    )
    return replace(difference, share=share)


def out_of_range(field: str, odd: Odd, share: float) -> Difference:
    """Build the difference for the rows whose values are far outside the buyer's range (`odd`).

    `share` is the share of these rows among those with a value.
    """
    difference = _of_rows(
        "out-of-range",
        field,
        f"{share:.1%} of values in column {field!r} lie far outside of the buyer's range: check "
        "their unit, and codes such as −999 for missing values",
        odd,
    )
    return replace(difference, share=share)


def repeated(odd: Odd) -> Difference:
    """Build the difference for the rows that `odd` marks, which equal earlier rows."""
    return _of_rows(
        "repeated",
        None,
        f"{odd.mean():.1%} of rows equal earlier ones in all columns that the recipe reads, which "
        "the buyer's rarely do: remove copies, since each counts, and the service sees which "
        "points are equal",
        odd,
    )


def _of_rows(kind: DifferenceKind, field: str | None, sentence: str, odd: Odd) -> Difference:
    share, count = float(odd.mean()), int(odd.sum())
    return Difference(kind, field, field, sentence, share, None, first_rows(odd), count)


def _respelt(names: list[str], spellings: Mapping[str, str]) -> str:
    """Quote at most three names, first those that the buyer spells otherwise; count the others."""
    respelt = [f"{name!r} (write {spellings[name]!r})" for name in names if name in spellings]
    others = [repr(name) for name in names if name not in spellings]
    more = f" and {len(names) - _MOST_EXAMPLES} more" if len(names) > _MOST_EXAMPLES else ""
    return ", ".join((respelt + others)[:_MOST_EXAMPLES]) + more
