"""Read points and their classes from files, and print warnings to standard error."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

import wassay
from wassay import files
from wassay.client.errors import WassayError
from wassay.control_characters import escape_control_characters
from wassay.recipes import Recipe, RecipeError
from wassay.transport import Measure


def read_points(path: Path) -> NDArray[np.float64]:
    """Read points as `wassay.files.read_points` does."""
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points and classes as `wassay.files.read_labelled` does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = files.read_labelled(path, classes=classes, class_column=class_column)
    for warning in caught:
        typer.echo(f"wassay: {escape_control_characters(str(warning.message))}", err=True)
    return found


def weighted(points: Any, weights: Path | None, *, has_recipe: bool = False) -> Any:
    """Return the measure of points and the weights of a file; the points as they are without one.

    Raises
    ------
    WassayError
        If a recipe makes points of the rows, and so reads their weights from a column.
    """
    if weights is None:
        return points
    if has_recipe:
        raise WassayError(
            "expected weights in a column of the table, as its rows become points by a recipe, "
            "received --weights: give a column the role weight (Recipe.fit(frame, roles={…: "
            "'weight'}), then --recipe), or compare the columns as they are (--no-recipe)"
        )
    return Measure(points, files.read_weights(weights))


def comparable_rows(
    path: Path,
    *,
    classes: Path | None,
    class_column: str | None,
    recipe: Path | None,
    fits: bool,
) -> tuple[Any, NDArray[Any] | None, Recipe | None]:
    """Read a buyer's rows, their classes and the recipe that makes points of the rows.

    The recipe is read from a file or, if `fits`, fitted on a table.
    """
    if recipe is None and not fits:
        return *read_labelled(path, classes=classes, class_column=class_column), None
    rows, labels = files.read_rows(path, classes=classes, class_column=class_column)
    if recipe is not None:
        return rows, labels, Recipe.load(recipe)
    if isinstance(rows, np.ndarray):
        return *read_labelled(path, classes=classes, class_column=class_column), None
    try:
        fitted = Recipe.fit(rows, roles={} if class_column is None else {class_column: "label"})
    except RecipeError as error:
        error.add_note("to compare the columns as they are, in their own units, pass --no-recipe")
        raise
    return rows, labels, fitted


def offered_rows(
    client: wassay.Client,
    request_id: str,
    path: Path,
    *,
    classes: Path | None,
    class_column: str | None,
    weights: Path | None,
) -> tuple[Any, NDArray[Any] | None]:
    """Read a seller's rows for the recipe of a request or, if it has none, weighted points."""
    has_recipe = client.requests.get(request_id).recipe is not None
    read = files.read_rows if has_recipe else read_labelled
    rows, labels = read(path, classes=classes, class_column=class_column)
    return weighted(rows, weights, has_recipe=has_recipe), labels
