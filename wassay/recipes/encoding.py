"""Turn columns into coordinates, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.binary_scores import binary_scores
from wassay.recipes.columns import Column
from wassay.recipes.document import FieldFit, FieldSpec, RecipeDocument
from wassay.recipes.errors import RecipeError
from wassay.recipes.row_digests import row_digests
from wassay.recipes.uniforms import Stream, Uniforms
from wassay.recipes.whitening import ordered_product

Array = NDArray[np.float64]

_BLOCK_ROWS = 2**12
"""The number of rows that are whitened at a time."""


def encode(
    document: RecipeDocument, columns: Mapping[str, Column], seed: int | None = None
) -> Array:
    """Return the points of all rows, shape (n, d).

    Without a seed, jitter comes from the recipe's jitter key or, if there is none, is random.
    """
    public, fitted = document.public, document.fitted
    uniforms = _uniforms(document, columns, seed)
    points = np.empty((len(next(iter(columns.values()))), public.dimension))
    end = 0
    for field in public.features:
        stream = uniforms.field(field.name) if public.jitter else None
        start, end = end, end + field.dimension
        column, fit = columns[field.name], fitted.fields[field.name]
        points[:, start:end] = encode_field(field, fit, column, stream)
    if fitted.whitening is not None:
        whitened, matrix = whitened_columns(public.features), np.array(fitted.whitening)
        for start in range(0, len(points), _BLOCK_ROWS):
            rows = slice(start, start + _BLOCK_ROWS)
            points[rows, whitened] = ordered_product(points[rows, whitened], matrix)
    return points


def _uniforms(
    document: RecipeDocument, columns: Mapping[str, Column], seed: int | None
) -> Uniforms:
    key = document.fitted.jitter_key
    if key is None:
        return Uniforms.by_position(seed, len(next(iter(columns.values()))))
    return Uniforms(key if seed is None else seed, row_digests(document.public.features, columns))


def encode_field(
    field: FieldSpec, fitted: FieldFit, column: Column, stream: Stream | None
) -> Array:
    """Return the coordinates of one field before whitening, shape (n, dimension).

    `stream` has the random numbers of the jitter; None means no jitter.
    """
    kind: Any = field.kind
    values = kind.read(column)
    require_values(field, column)
    present = ~column.missing
    kind.require_usable(values[present], field.name)
    of_present = None if stream is None else stream.of(present)
    centred = kind.encode(values[present], fitted.fit, field.name, of_present) - fitted.centre
    block = np.zeros((len(column), field.dimension))
    block[present, : len(fitted.centre)] = centred
    if stream is not None and len(centred):
        block[~present, : len(fitted.centre)] = _imputed(centred, stream.of(~present))
    if field.indicates:
        block[:, -1] = binary_scores(column.missing, fitted.missing, stream)
    return block * fitted.scale


def _imputed(present: Array, stream: Stream) -> Array:
    """Draw coordinates for the rows without a value, like those of the other rows (`present`)."""
    # With equal coordinates, these rows would lie on one plane, by which a receiver could find the
    # field.
    count = len(present)
    if present.shape[1] == 1:  # interpolated, so that rows rarely have equal coordinates
        places, values = stream.uniform() * (count - 1), np.sort(present[:, 0])
        below = places.astype(np.intp)
        low, high = values[below], values[np.minimum(below + 1, count - 1)]
        return (low + (places - below) * (high - low))[:, None]
    drawn: Array = present[(stream.uniform() * count).astype(np.intp)]
    return drawn


def require_values(field: FieldSpec, column: Column) -> None:
    """Raise if a row has no value in a field that refuses missing values."""
    absent = int(column.missing.sum())
    if absent and not field.allows_missing:
        raise RecipeError(
            f"expected a value in every row of column {field.name!r}, received none in {absent} of "
            f"{len(column)} rows: remove these rows, or agree on a recipe with "
            "missing='indicator' for this field"
        )


def whitened_columns(features: list[FieldSpec]) -> NDArray[np.intp]:
    """Return the indices of the coordinates that are whitened together."""
    kinds: list[Any] = [field.kind for field in features]
    return np.flatnonzero(
        np.repeat([kind.whitened for kind in kinds], [field.dimension for field in features])
    )
