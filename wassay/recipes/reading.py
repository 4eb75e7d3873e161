"""Read columns, labels and weights from a table, under a recipe's names and in its units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.classes import class_name
from wassay.recipes.columns import Column, texts_of
from wassay.recipes.document import FieldSpec, PublicPart, Role
from wassay.recipes.errors import RecipeError
from wassay.recipes.frames import columns_of
from wassay.recipes.guessing import require_known
from wassay.recipes.kinds.text import Text, Vectors


def read_columns(
    frame: Any,
    rename: Mapping[str, str] | None = None,
    factors: Mapping[str, float] | None = None,
) -> dict[str, Column]:
    """Return a frame's columns by the recipe's names, with numbers in the recipe's units.

    `rename` maps the frame's names to the recipe's; `factors` maps the recipe's names
    to multipliers.

    Raises
    ------
    RecipeError
        If the frame cannot be read, an option names a missing column, or two columns get one
        name. Also if a factor is not positive, or its column has no numbers.
    """
    columns = columns_of(frame)
    if rename:
        require_known(rename, columns)
        columns = _renamed(columns, rename)
    require_known(factors or {}, columns)
    for name, factor in (factors or {}).items():
        column = columns[name]
        if (
            column.type not in ("number", "integer")
            or not isinstance(factor, Real)
            or not 0 < factor < math.inf
        ):
            raise RecipeError(
                f"expected a positive factor for a column of numbers, received {factor!r} for "
                f"{name!r}, a column of {column.type}: factors convert units (1000 for thousands)"
            )
        columns[name] = replace(column, values=column.values * float(factor))
    return columns


def embed(
    fields: Iterable[FieldSpec],
    columns: dict[str, Column],
    vectors: Mapping[str, Vectors],
) -> list[FieldSpec]:
    """Replace each column of texts in `columns` by one of mean word vectors, from `vectors`.

    Return the fields, with the digest of the word vectors in each field of texts.

    Raises
    ------
    RecipeError
        If a field of texts has no word vectors, or its column holds no texts. Also if the vectors
        differ in dimension, are not the recipe's, or lack a word that the recipe requires.
    """
    found = []
    for field in fields:
        if isinstance(field.kind, Text) and field.name in columns:
            if field.name not in vectors:
                raise RecipeError(
                    f"expected word vectors for the texts of column {field.name!r}, received none: "
                    f"pass vectors={{{field.name!r}: {{word: vector, …}}}}"
                )
            kind, column = field.kind.embedded(columns[field.name], vectors[field.name])
            columns[field.name] = column
            field = field.model_copy(update={"kind": kind})
        found.append(field)
    return found


def labels_of(public: PublicPart, columns: Mapping[str, Column]) -> NDArray[np.str_] | None:
    """Return the class of each row, as `class_name` writes it.

    None if no field has the role `label`.

    Raises
    ------
    RecipeError
        If a row has no class.
    """
    column = _of_role(public, "label", columns)
    return None if column is None else classes_of(column)


def classes_of(column: Column) -> NDArray[np.str_]:
    """Return the name of each row's class as text: "1" for 1, 1.0 and "1".

    Rows without a class get an arbitrary text.
    """
    return np.array([class_name(text) for text in texts_of(column).tolist()], dtype=np.str_)


def weights_of(public: PublicPart, columns: Mapping[str, Column]) -> NDArray[np.float64] | None:
    """Return the weights of the rows, which sum to 1, or None if no field has the role `weight`.

    Raises
    ------
    RecipeError
        If a row has no weight, a weight is negative or no number, or their sum is 0 or infinite.
    """
    column = _of_role(public, "weight", columns)
    if column is None:
        return None
    weights = column.values
    if column.type not in ("number", "integer") or not (weights >= 0).all():
        raise RecipeError(
            f"expected weights of at least 0 in column {column.name!r}, received "
            f"{column.type if column.type == 'text' else 'negative ones'}: correct them"
        )
    total = math.fsum(weights)  # rounded once, so that the order of rows does not matter
    if not 0 < total < math.inf:
        raise RecipeError(
            f"expected weights with a positive, finite sum in column {column.name!r}, received "
            f"{total:g}: correct them"
        )
    return np.asarray(weights / total)


def _renamed(columns: dict[str, Column], rename: Mapping[str, str]) -> dict[str, Column]:
    found: dict[str, Column] = {}
    for name, column in columns.items():
        new = rename.get(name, name)
        if new in found:
            raise RecipeError(
                f"expected columns of different names after rename, received {new!r} twice: rename "
                "the other column too"
            )
        found[new] = replace(column, name=new)
    return found


def _of_role(public: PublicPart, role: Role, columns: Mapping[str, Column]) -> Column | None:
    for field in public.fields:
        if field.role == role:
            column = columns[field.name]
            if column.missing.any():
                raise RecipeError(
                    f"expected a {role} in every row of column {field.name!r}, received none in "
                    f"{int(column.missing.sum())} rows: add them, or remove these rows"
                )
            return column
    return None
