"""Find the differences between a seller's table and a recipe, before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.index_columns import names_rows
from wassay.recipes import differences
from wassay.recipes.classes import ClassNames
from wassay.recipes.columns import Column
from wassay.recipes.differences import Difference
from wassay.recipes.document import FieldFit, FieldSpec, RecipeDocument
from wassay.recipes.errors import RecipeError
from wassay.recipes.guessing import numbers_the_rows
from wassay.recipes.kinds.category import Category, CategoryFit
from wassay.recipes.kinds.date import Date, Datetime
from wassay.recipes.kinds.image import Image
from wassay.recipes.kinds.numeric import Numeric, NumericFit
from wassay.recipes.kinds.ordered import Ordered
from wassay.recipes.missing_codes import missing_codes
from wassay.recipes.reading import classes_of, weights_of
from wassay.recipes.row_digests import repeats, row_digests
from wassay.recipes.spellings import other_spellings

Array = NDArray[np.float64]

ODD = 0.5
"""A column is odd if its misfit (`misfit_of`) exceeds this. It may then belong to another field, or
have another unit."""

_BETTER = 0.3
"""Another field or unit is reported only if its misfit is less than this share of the column's
own."""

_POWERS = tuple(power for power in range(-9, 10) if power)
# Values of two populations can differ by such a factor in the same unit: infants weigh a tenth of
# adults. But ten times infants' weights spread less than adults' weights, so some misfit remains.
_TENFOLD = 0.4
"""A factor of 10 or 1/10 counts as another unit only if it makes the misfit less than this."""

# With few quantiles, many rows lie beyond the outermost ones, and a distribution can have long
# tails.
_FAR_SHARE = 0.02
_FAR_TAILS = 0.5
"""Far values are reported if more than 2 % of the rows have one, and more than 0.5 divided by the
number of quantiles.
"""

_UNKNOWN_SHARE = 0.01
# More than `RARELY` among the buyer's own rows, because more rows repeat in a longer table.
_REPEATED_SHARE = 0.05
"""Repeated rows are reported if they are more than this share of all rows."""

_DIM = 0.1
"""Images that use less than this share of the recipe's range probably have another range."""


def compare(
    document: RecipeDocument,
    columns: Mapping[str, Column],
    classes: NDArray[np.str_] | None = None,
) -> list[Difference]:
    """Return the differences between a recipe and a table's columns, differences in names first.

    `classes` has the class name of each row; None takes it from the field with the role `label`.
    """
    found = list(_of_names(document, columns))
    odd: dict[str, float] = {}
    for field in document.public.features:
        column = columns.get(field.name)
        if column is None:
            continue
        try:
            misfit = misfit_of(field, document.fitted.fields[field.name], column)
        except RecipeError as error:
            misfit = np.inf
            found.append(differences.retyped(field.name, error))
        if misfit > ODD:
            odd[field.name] = misfit
        if column.missing.any() and not field.allows_missing:
            found.append(differences.empty(field.name, column.missing))
    swaps = _swaps(document, columns, odd)
    found += [differences.swapped(*pair) for pair in swaps]
    explained = {name for pair in swaps for name in pair}
    found = [each for each in found if each.kind != "retyped" or each.field not in explained]
    # The values of swapped columns, and of columns not of the field's kind, are not compared.
    explained |= {each.field for each in found if each.kind == "retyped" and each.field}
    for field in document.public.features:
        if field.name in columns.keys() - explained:
            fitted = document.fitted.fields[field.name]
            found += _of_values(field, fitted, columns[field.name], field.name in odd)
    found += _of_labels(document, columns, classes) + _of_weights(document, columns)
    return found + _of_rows(document, columns)


def misfit_of(field: FieldSpec, fitted: FieldFit, column: Column) -> float:
    """Return how badly a column fits a field: about 0 for the buyer's own rows.

    Only numbers, dates and categories can fit badly; other kinds have the misfit 0.

    Raises
    ------
    RecipeError
        If the values are not of the field's kind.
    """
    kind, fit = field.kind, fitted.fit
    if kind is None:
        return 0.0
    kind.check(column)
    if column.missing.all():
        return 0.0
    if isinstance(kind, Numeric) and isinstance(fit, NumericFit):
        return _quantile_misfit(kind.read(column)[~column.missing], fit)
    if isinstance(kind, Category) and isinstance(fit, CategoryFit):
        unknown = kind.unknown(kind.read(column)[~column.missing], fit)
        return max(0.0, float(unknown.mean()) - fit.others)
    return 0.0


def _of_names(document: RecipeDocument, columns: Mapping[str, Column]) -> list[Difference]:
    expected = [field.name for field in document.public.fields if field.role != "ignored"]
    known = {field.name for field in document.public.fields}
    others = [name for name in columns if name not in known]
    indices = [
        name
        for name in others
        if columns[name].index or names_rows(name) or numbers_the_rows(columns[name])
    ]
    others = [name for name in others if name not in indices]
    similar: dict[str, str | None] = {}
    for field in expected:
        if field not in columns:
            similar[field] = near = _similar_name(field, others)
            if near is not None:
                others.remove(near)
    found = [
        differences.missing(field, others) if near is None else differences.renamed(field, near)
        for field, near in similar.items()
    ]
    found += [differences.unread(name) for name in others]
    return found + [differences.index(name) for name in indices]


def _similar_name(field: str, others: list[str]) -> str | None:
    """Return the name in `others` that is most like the field's, ignoring case and separators.

    None if all names differ from the field's in more than a few letters.
    """
    plain = {re.sub(r"[\W_]", "", name.casefold()): name for name in reversed(others)}
    near = get_close_matches(re.sub(r"[\W_]", "", field.casefold()), plain, n=1, cutoff=0.75)
    return plain[near[0]] if near else None


def _swaps(
    document: RecipeDocument, columns: Mapping[str, Column], odd: Mapping[str, float]
) -> list[tuple[str, str]]:
    """Return the pairs of fields that fit each other's column far better than their own.

    `odd` has the misfits of the fields whose own columns fit badly; only these fields are compared.
    """
    fields = {field.name: field for field in document.public.features}

    def misfit(field: str, column: str) -> float:
        try:
            return misfit_of(fields[field], document.fitted.fields[field], columns[column])
        except RecipeError:
            return np.inf

    found: list[tuple[str, str]] = []
    for one, other in combinations(odd, 2):
        if any({one, other} & set(pair) for pair in found):
            continue
        crossed = max(misfit(one, other), misfit(other, one))
        if crossed < ODD and crossed < _BETTER * min(odd[one], odd[other]):
            found.append((one, other))
    return found


def _of_values(field: FieldSpec, fitted: FieldFit, column: Column, odd: bool) -> list[Difference]:
    kind, fit = field.kind, fitted.fit
    if column.missing.all():
        return []
    if isinstance(kind, Category) and isinstance(fit, CategoryFit):
        values = kind.read(column)
        outside = ~column.missing & kind.unknown(values, fit)
        share = _share(outside, column)
        if share <= _UNKNOWN_SHARE + 2.0 * fit.others:
            return []
        unknown = sorted(set(values[outside].tolist()))
        respelt = other_spellings(unknown, fit.categories)
        return [differences.unknown_categories(field.name, outside, share, unknown, respelt)]
    if isinstance(kind, Image) and kind.range is not None:
        (black, white), values = kind.range, column.values[~column.missing]
        low, high = float(values.min()), float(values.max())
        if high - low < _DIM * (white - black):
            return [differences.other_brightness(field.name, low, high, kind.range)]
    if isinstance(kind, Numeric) and isinstance(fit, NumericFit):
        return _of_numbers(field, kind, fit, column, odd)
    return []


def _of_numbers(
    field: FieldSpec, kind: Numeric, fit: NumericFit, column: Column, odd: bool
) -> list[Difference]:
    values = kind.read(column)
    found = []
    is_code = np.zeros(len(column), dtype=np.bool_)
    if not isinstance(kind, Ordered):
        codes = missing_codes(values[~column.missing], fit)
        is_code = ~column.missing & np.isin(values, codes)
        if codes:
            shown = [_shown(code, kind) for code in codes]
            share = _share(is_code, column)
            found.append(
                differences.missing_code(field.name, is_code, share, shown, field.allows_missing)
            )
    others = values[~column.missing & ~is_code]
    factor = _factor(others, fit) if odd and len(others) else None
    if factor is not None:
        return [*found, differences.other_unit(field.name, factor, field.unit)]
    far = ~column.missing & ~is_code & fit.far(values)
    share = _share(far, column)
    if share > max(_FAR_SHARE, _FAR_TAILS / max(1, len(fit.quantiles))):
        found.append(differences.out_of_range(field.name, far, share))
    return found


def _share(odd: NDArray[np.bool_], column: Column) -> float:
    """Return the share of marked rows (`odd`) among the rows with a value."""
    return float(odd[~column.missing].mean())


def _shown(value: float, kind: Numeric) -> str:
    if isinstance(kind, Date | Datetime):
        return str(np.datetime64(0, "s") + np.timedelta64(round(value * 86_400), "s"))
    return f"{value:.15g}"


def _of_labels(
    document: RecipeDocument, columns: Mapping[str, Column], classes: NDArray[np.str_] | None
) -> list[Difference]:
    field, known = document.public.label, document.fitted.classes
    column = columns.get(field.name) if field is not None and classes is None else None
    if column is not None:
        if column.missing.any():
            return [differences.unlabelled(column.name, column.missing)]
        classes = classes_of(column)
    if known is None or classes is None or not len(classes):
        return []
    return _of_classes(None if column is None else column.name, classes, known)


def _of_classes(
    field: str | None, classes: NDArray[np.str_], known: ClassNames
) -> list[Difference]:
    odd = ~np.isin(classes, known.names)
    unknown = sorted(set(classes[odd].tolist()))
    respelt = other_spellings(unknown, known.names)
    if not unknown or (known.others and not respelt and odd.mean() <= 2.0 * known.others):
        return []
    return [differences.unknown_classes(field, odd, unknown, respelt, known.names)]


def _of_weights(document: RecipeDocument, columns: Mapping[str, Column]) -> list[Difference]:
    field = document.public.weights
    if field is None or field.name not in columns:
        return []
    try:
        weights_of(document.public, columns)
    except RecipeError as error:
        return [differences.retyped(field.name, error)]
    return []


def _of_rows(document: RecipeDocument, columns: Mapping[str, Column]) -> list[Difference]:
    if document.fitted.jitter_key is None:  # no jitter, or the buyer's rows repeat
        return []
    try:
        odd = repeats(row_digests(document.public.features, columns))
    except (RecipeError, KeyError):  # a missing or unreadable column, reported before
        return []
    return [differences.repeated(odd)] if len(odd) and odd.mean() > _REPEATED_SHARE else []


def _quantile_misfit(values: Array, fit: NumericFit) -> float:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return np.inf
    # The mean distance between the quantiles of both sides, relative to the mean deviation of the
    # buyer's quantiles from their median.
    knots = np.array(fit.quantiles)
    found = np.quantile(finite, (np.arange(len(knots)) + 0.5) / len(knots))
    spread = float(np.abs(knots - np.median(knots)).mean()) or abs(float(knots[0])) or 1.0
    return float(np.abs(found - knots).mean()) / spread


def _factor(values: Array, fit: NumericFit) -> float | None:
    """Return the power of ten by which to multiply values so that they fit the buyer's quantiles.

    None if no power of ten makes the misfit far smaller.
    """
    misfits = {10.0**power: _quantile_misfit(values * 10.0**power, fit) for power in _POWERS}
    best = min(misfits, key=misfits.__getitem__)
    plain = _quantile_misfit(values, fit)
    most = _TENFOLD if best in (0.1, 10.0) else 1.0
    return best if misfits[best] < min(most, _BETTER * plain) else None
