"""Choose roles and kinds for the columns to which the caller gave none."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Set
from difflib import get_close_matches
from numbers import Real
from typing import Any, get_args

import numpy as np

from wassay.index_columns import names_rows, numbers_rows
from wassay.recipes.columns import Column, is_number, quoted
from wassay.recipes.determined import (
    ComparedColumn,
    determined,
    equivalent_column,
    revealed_missing,
)
from wassay.recipes.document import FieldSpec, Role
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.category import Category, frequent
from wassay.recipes.kinds.date import Date, Datetime, holds_dates
from wassay.recipes.kinds.image import Image
from wassay.recipes.kinds.ordered import Ordered
from wassay.recipes.kinds.registry import BY_NAME, AnyKind
from wassay.recipes.kinds.vector import Vector
from wassay.recipes.limits import MOST_WEIGHT
from wassay.recipes.missing_codes import own_codes

_MOST_NAMED = 4


def specify(
    columns: Mapping[str, Column],
    *,
    roles: Mapping[str, Role],
    kinds: Mapping[str, str | AnyKind],
    weights: Mapping[str, float],
    units: Mapping[str, str],
    descriptions: Mapping[str, str],
) -> list[FieldSpec]:
    """Return the fields of a recipe for the buyer's columns, with the options of `Recipe.fit`.

    Warn of columns that get no field, and of fields that other fields determine.
    """
    for option in (roles, kinds, weights, units, descriptions):
        require_known(option, columns)
    fields: list[FieldSpec] = []
    left_out: list[str] = []
    features: dict[str, ComparedColumn] = {}
    for name, column in columns.items():
        role = roles.get(name, "feature")
        if role not in get_args(Role):
            raise RecipeError(
                f"expected a role ({', '.join(get_args(Role))}), received {role!r} for {name!r}: "
                "name one of them"
            )
        if role == "weight" and column.type not in ("number", "integer"):
            raise RecipeError(
                f"expected a column of numbers for the role weight, received {name!r}, a column of "
                f"{column.type}: convert it, or give it another role"
            )
        kind = _kind_named(kinds[name]) if name in kinds else None
        compared = ComparedColumn(column)
        if role == "feature" and kind is None:
            reason = unusable(column) if name not in roles else None
            if reason is not None:
                left_out.append(f"{name!r} ({reason})")
                continue
            same = None if name in roles else equivalent_column(compared, features)
            if same is not None:
                left_out.append(f"{name!r} (in these rows it says the same as {same!r})")
                continue
            kind = _guessed(column)
            _warn_of_numbers(column)
            _warn_of_codes(column)
        if role == "feature":
            features[name] = compared
        fields.append(
            FieldSpec.model_construct(
                name=name,
                role=role,
                kind=kind if role == "feature" else None,
                weight=_weight(name, weights.get(name, 1.0)),
                unit=units.get(name),
                description=descriptions.get(name),
                type="any",
                title=None,
                dimension=0,
            )
        )
    if left_out:
        warnings.warn(
            f"left out {', '.join(left_out)}: to use a column, name its kind "
            "(Recipe.fit(frame, kinds={…})); to leave it out without this warning, its role "
            "(roles={…: 'ignored'})",
            stacklevel=3,
        )
    revealed = revealed_missing(features)
    fields = [_without_indicator(field) if field.name in revealed else field for field in fields]
    imputed = {field.name for field in fields if _is_imputed(field)}
    _warn_of_determined(features, imputed & revealed.keys())
    return fields


def _is_imputed(field: FieldSpec) -> bool:
    """Return whether no coordinate indicates the field's missing values."""
    kind: Any = field.kind
    return kind is not None and kind.missing == "imputed"


def _without_indicator(field: FieldSpec) -> FieldSpec:
    """Return a field without the coordinate that indicates missing values.

    If the caller chose the option `missing`, return the field unchanged.
    """
    kind: Any = field.kind
    if kind.missing is not None:
        return field
    return field.model_copy(update={"kind": kind.model_copy(update={"missing": "imputed"})})


def _warn_of_determined(features: Mapping[str, ComparedColumn], imputed: Set[str]) -> None:
    """Warn of fields that other fields determine.

    `imputed` names the fields whose missing values get no indicator.
    """
    found = determined(features, imputed)
    if found:
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        warnings.warn(
            f"{', '.join(found[:_MOST_NAMED])}{more}: what several fields say can be read from "
            "sealed points. Leave one of each out (roles={…: 'ignored'}), or see what the audit "
            "reads",
            stacklevel=4,
        )


def _weight(name: str, weight: object) -> float:
    """Return a field's weight as a float.

    Raises
    ------
    RecipeError
        If the weight is not a positive number, or is too large for a recipe.
    """
    if (
        isinstance(weight, Real)
        and not isinstance(weight, bool)
        and 0 < float(weight) <= MOST_WEIGHT
    ):
        return float(weight)
    if isinstance(weight, Real) and weight == 0:
        advice = f"to leave the column out, pass roles={{{name!r}: 'ignored'}}"
    else:
        advice = f"pass 1 to count the column as others do (weights={{{name!r}: 1}})"
    raise RecipeError(
        f"expected a weight above 0 and at most {MOST_WEIGHT:g} for column {name!r}, received "
        f"{weight!r}: {advice}"
    )


def require_known(names: Mapping[str, object], columns: Mapping[str, object]) -> None:
    """Raise unless the option `names` is a mapping whose keys are names of columns."""
    if not isinstance(names, Mapping):
        raise RecipeError(
            f"expected an option for each column, such as {{{next(iter(columns))!r}: …}}, received "
            f"{names!r}: name the columns"
        )
    for name in names:
        if name not in columns:
            near = get_close_matches(name, columns, n=1)
            advice = f"did you mean {near[0]!r}?" if near else "name one of them"
            raise RecipeError(
                f"expected the name of a column, received {name!r}; the columns are "
                f"{quoted(columns)}: {advice}"
            )


def unusable(column: Column) -> str | None:
    """Return why a column cannot be a feature, or None if it can."""
    if column.index or names_rows(column.name):
        return "names of rows"
    if column.missing.all():
        return "no value in any row"
    if column.type == "text" and column.order is None:
        return None if holds_dates(column) else _unusable_text(column)
    return "numbers of rows" if numbers_the_rows(column) else None


def numbers_the_rows(column: Column) -> bool:
    """Return whether a column numbers the rows, as an index does."""
    counts = column.type in ("integer", "number") and not column.missing.any()
    return counts and numbers_rows(column.values)


def _unusable_text(column: Column) -> str | None:
    texts = column.values[~column.missing]
    common = set(frequent(texts))
    if sum(text in common for text in texts) >= len(texts) / 2:
        return None
    return f"{len(set(texts)):,} different texts in {len(texts):,} rows"


def _warn_of_numbers(column: Column) -> None:
    """Warn if a few texts, such as n/a, turn a column of numbers into categories."""
    if column.type != "text" or column.order is not None:
        return
    texts: list[str] = column.values[~column.missing].tolist()
    others = [text for text in texts if not is_number(text)]
    if 0 < len(others) <= len(texts) / 10:
        warnings.warn(
            f"{column.name!r} counts as categories, because {len(others):,} of {len(texts):,} "
            f"texts are no numbers, such as {others[0][:60]!r}: make it a column of numbers, or "
            f"name its kind (kinds={{{column.name!r}: 'category'}})",
            stacklevel=4,
        )


def _warn_of_codes(column: Column) -> None:
    """Warn if numbers hold codes for missing values, which would count as numbers."""
    if column.type not in ("number", "integer"):
        return
    values = column.values[~column.missing]
    codes = own_codes(values)
    if codes:
        share = float(np.isin(values, codes).mean())
        looks = "looks like a code" if len(codes) == 1 else "look like codes"
        warnings.warn(
            f"{share:.1%} of values in column {column.name!r} are "
            f"{' or '.join(f'{code:.15g}' for code in codes)}, which {looks} for missing values "
            "and would count as numbers: if they are missing, put None in their place",
            stacklevel=4,
        )


def _guessed(column: Column) -> AnyKind:
    if column.type == "text":
        if column.order is None and holds_dates(column):
            days = all(len(text) == len("2026-11-28") for text in column.values[~column.missing])
            return Date() if days else Datetime()
        return Category() if column.order is None else Ordered()
    if column.type == "array":
        return Vector() if column.values.ndim == 2 else Image()
    return BY_NAME["number" if column.type == "empty" else column.type]()


def _kind_named(kind: str | AnyKind) -> AnyKind:
    if not isinstance(kind, str):
        return kind
    if kind not in BY_NAME:
        raise RecipeError(
            f"expected a kind of field ({', '.join(BY_NAME)}), received {kind!r}: name one of them"
        )
    return BY_NAME[kind]()
