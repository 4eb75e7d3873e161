"""Fit a recipe on the buyer's rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.classes import ClassNames, common_classes
from wassay.recipes.columns import Column, quoted
from wassay.recipes.document import (
    FieldFit,
    FieldSpec,
    FittedPart,
    PublicPart,
    RecipeDocument,
)
from wassay.recipes.encoding import encode_field, require_values, whitened_columns
from wassay.recipes.errors import RecipeError
from wassay.recipes.limits import FEWEST_ROWS, MOST_DIMENSIONS, MOST_WHITENED
from wassay.recipes.reading import classes_of
from wassay.recipes.row_digests import RARELY, repeated_share, row_digests
from wassay.recipes.uniforms import Uniforms
from wassay.recipes.whitening import CONSTANT, whitening_matrix

Array = NDArray[np.float64]


def fit(
    fields: list[FieldSpec],
    columns: Mapping[str, Column],
    *,
    whiten: bool,
    jitter: bool,
    seed: int | None,
) -> RecipeDocument:
    """Fit a recipe: first each field and then, if `whiten`, the matrix that whitens coordinates.

    Each feature among `fields` must have a kind; without a `seed`, jitter is random.

    Raises
    ------
    RecipeError
        If rows are too few, no field is a feature, there are too many coordinates, or values do not
        fit their kind.
    """
    rows = len(next(iter(columns.values())))
    uniforms = Uniforms.by_position(seed, rows)
    if rows < FEWEST_ROWS:
        raise RecipeError(
            f"expected at least {FEWEST_ROWS} rows to fit a recipe on, received {rows}: give more "
            "rows, since quantiles of fewer would reveal single records"
        )
    specs: list[FieldSpec] = []
    fitted: dict[str, FieldFit] = {}
    blocks: list[Array] = []
    for field in fields:
        if field.role != "feature":
            specs.append(field)
            continue
        spec, fit_of_field, block = _fit_field(field, columns[field.name], jitter, uniforms)
        specs.append(spec)
        fitted[field.name] = fit_of_field
        blocks.append(block)
    if not blocks:
        raise RecipeError(
            f"expected at least one feature, received none among {quoted(columns)}: give a "
            "column the role feature, and a kind"
        )
    public = PublicPart(fields=specs, whiten=whiten, jitter=jitter)
    if public.dimension > MOST_DIMENSIONS:
        raise RecipeError(
            f"expected at most {MOST_DIMENSIONS:,} coordinates, received {public.dimension:,}: "
            "leave fields out, or embed them"
        )
    whitening = _whitening(public, blocks) if whiten else None
    rarely_repeat = repeated_share(row_digests(public.features, columns)) <= RARELY
    return RecipeDocument(
        public=public,
        fitted=FittedPart(
            public_sha256=public.digest(),
            fields=fitted,
            whitening=None if whitening is None else whitening.tolist(),
            jitter_key=uniforms.key() if jitter and rarely_repeat else None,
            classes=_class_names(public, columns),
        ),
    )


def _class_names(public: PublicPart, columns: Mapping[str, Column]) -> ClassNames | None:
    label = public.label
    if label is None:
        return None
    column = columns[label.name]
    return common_classes(classes_of(column)[~column.missing])


def _fit_field(
    field: FieldSpec, column: Column, jitter: bool, uniforms: Uniforms
) -> tuple[FieldSpec, FieldFit, Array]:
    kind: Any = field.kind
    kind = kind.resolve(column)
    if kind.missing is None:
        needed = "indicator" if column.missing.any() else "refuse"
        kind = kind.model_copy(update={"missing": needed})
    field = field.model_copy(update={"kind": kind})
    values = kind.read(column)
    require_values(field, column)
    present = ~column.missing
    if not present.any():
        raise RecipeError(
            f"expected values in column {field.name!r}, received none in any row: leave it out "
            f"(roles={{{field.name!r}: 'ignored'}})"
        )
    kind.require_usable(values[present], field.name)
    stream = uniforms.field(field.name) if jitter else None
    of_present = None if stream is None else stream.of(present)
    learned = kind.fit(values[present], field.name, of_present)
    width = kind.width(learned)
    spec = field.model_copy(update={"dimension": width + field.indicates, "type": kind.schema_type})
    unscaled = FieldFit(
        fit=learned,
        centre=[0.0] * width,
        scale=1.0,
        missing=round(float(column.missing.mean()), 3),
        jitter=0.0,
    )
    first = encode_field(spec, unscaled, column, stream)
    centre = first[present, :width].mean(axis=0) if kind.scaled else np.zeros(width)
    first[present, :width] -= centre
    # The mean squared distance of two random rows is twice the variance.
    variance = float(first.var(axis=0).sum())
    varies = variance > CONSTANT**2
    scale = float(np.sqrt(field.weight / (2.0 * variance if varies and kind.scaled else 2.0)))
    share = 0.0
    if stream is not None and varies:
        again = encode_field(spec, unscaled, column, stream)
        again[present, :width] -= centre
        share = float(((first - again) ** 2).sum(axis=1).mean()) / (2.0 * variance)
    fitted = unscaled.model_copy(
        update={"centre": centre.tolist(), "scale": scale, "jitter": round(share, 3)}
    )
    return spec, fitted, first * scale


def _whitening(public: PublicPart, blocks: list[Array]) -> Array | None:
    """Return the matrix that whitens and weights coordinates; None if no field is whitened.

    `blocks` has the coordinates of each feature.
    """
    columns = whitened_columns(public.features)
    if not len(columns):
        return None
    if len(columns) > MOST_WHITENED:
        raise RecipeError(
            f"expected at most {MOST_WHITENED} coordinates to whiten, received {len(columns)}: "
            "leave fields out, or fit with whiten=False and check the audit of the points"
        )
    weights = np.concatenate(
        [
            np.full(field.dimension, field.weight / (2.0 * field.dimension))
            for field in public.features
        ]
    )
    matrix = whitening_matrix(np.concatenate(blocks, axis=1)[:, columns])
    return np.asarray(matrix * np.sqrt(weights[columns]))
