"""Read points and classes from files, and print the warnings of reading to standard error."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

import wassay
from wassay import files
from wassay.client.shared.arguments import as_measure
from wassay.client.shared.sampling import label_of, most_rows
from wassay.control_characters import escape_control_characters
from wassay.errors import WassayError
from wassay.recipes import PublicPart, Recipe, RecipeError
from wassay.recipes.sampled import Sampled
from wassay.sampling import DrawnRows, Sample
from wassay.transport import Measure


def read_points(path: Path) -> NDArray[np.float64]:
    """Read points from a file, one point in each row; print warnings to standard error."""
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points from a file, and their classes from a column or a second file.

    Return None instead of classes if neither `classes` nor `class_column` is given.
    """
    with _warnings_printed():
        return files.read_labelled(path, classes=classes, class_column=class_column)


def sampled_points(
    path: Path,
    *,
    class_column: str | None,
    weights: Path | None,
    sample: Sample | None,
) -> tuple[Measure, DrawnRows | None]:
    """Read the points in a file, or a sample of them.

    Also return which rows were drawn, or None without a sample.
    """
    rows, _, drawn = files.read_rows(path, class_column=class_column, sample=sample)
    points = _points(rows, path, class_column)
    return as_measure(weighted(points, weights, drawn)), drawn


def comparable_rows(
    path: Path,
    *,
    classes: Path | None,
    class_column: str | None,
    weights: Path | None,
    recipe: Path | None,
    fits: bool,
    sample: Sample | None,
) -> tuple[Any, NDArray[Any] | None, Recipe | None]:
    """Read a buyer's rows, their classes, and the recipe that makes points of the rows.

    If `recipe` is None and `fits` is true, a recipe is fitted on a table.

    Returns
    -------
    rows
        The rows of the table or, without a recipe, the points. If a sample was drawn, a `Sampled`.
    classes, recipe
        None if there are none.
    """
    agreed = None if recipe is None else Recipe.load(recipe)
    label = None if agreed is None else label_of(agreed.public)
    rows, labels, drawn = files.read_rows(
        path,
        classes=classes,
        class_column=class_column,
        sample=_stratified(sample, class_column, label),
        most_rows=most_rows(),
    )
    if agreed is None and fits and not isinstance(rows, np.ndarray):
        agreed = _fitted(rows, class_column)
    elif agreed is None:
        rows = _points(rows, path, class_column)
    rows = weighted(rows, weights, drawn, has_recipe=agreed is not None)
    return (rows if drawn is None else Sampled(rows, drawn)), labels, agreed


def offered_rows(
    client: wassay.Client,
    request_id: str,
    path: Path,
    *,
    rename: Mapping[str, str],
    classes: Path | None = None,
    class_column: str | None = None,
    weights: Path | None = None,
    sample: Sample | None = None,
    limited: bool = True,
) -> tuple[Any, NDArray[Any] | None]:
    """Read a seller's rows and the rows' classes from files.

    If `limited`, raise if there are more rows than the service takes.

    Returns
    -------
    rows
        The rows of the table or, if the request has no recipe, the points. If a sample was drawn, a
        `Sampled`.
    classes
        None if neither `classes` nor `class_column` is given.
    """
    recipe = client.requests.get(request_id).recipe
    label = None if recipe is None else label_of(PublicPart.model_validate(recipe))
    mine = {theirs: mine for mine, theirs in rename.items()}
    by = None if label is None else mine.get(label, label)
    rows, labels, drawn = files.read_rows(
        path,
        classes=classes,
        class_column=class_column,
        sample=_stratified(sample, class_column, by),
        most_rows=most_rows() if limited else None,
    )
    if recipe is None:
        rows = _points(rows, path, class_column)
    rows = weighted(rows, weights, drawn, has_recipe=recipe is not None)
    return (rows if drawn is None else Sampled(rows, drawn)), labels


def _fitted(rows: Any, class_column: str | None) -> Recipe:
    try:
        return Recipe.fit(rows, roles={} if class_column is None else {class_column: "label"})
    except RecipeError as error:
        error.add_note("to compare the columns as they are, in their own units, pass --no-recipe")
        raise


def _stratified(
    sample: Sample | None, class_column: str | None, label: str | None
) -> Sample | None:
    """Stratify a sample by the column `label`; return None without a sample.

    Return it unchanged if it is stratified already, if `label` is None, or if `class_column` is
    given.
    """
    if sample is None or sample.by is not None or class_column is not None:
        return sample
    return replace(sample, by=label)


def _points(rows: Any, path: Path, class_column: str | None) -> NDArray[np.float64]:
    with _warnings_printed():
        return files.points_of(rows, path, class_column=class_column)


def weighted(
    points: Any,
    weights: Path | None,
    drawn: DrawnRows | None = None,
    *,
    has_recipe: bool = False,
) -> Any:
    """Give points the weights in a file; without a file, return the points unchanged.

    The file has weights for all rows, even if `points` are only the rows in `drawn`.

    Raises
    ------
    WassayError
        If there are both a file and a recipe, because a recipe takes weights from a column. Also if
        the file does not have one weight for each row.
    """
    if weights is None:
        return points
    if has_recipe:
        raise WassayError(
            "expected weights in a column of the table, because a recipe makes points of its rows, "
            "received --weights: give a column the role weight (Recipe.fit(frame, roles={…: "
            "'weight'}), then --recipe), or compare the columns as they are (--no-recipe)"
        )
    read = files.read_weights(weights)
    if drawn is None:
        return Measure(points, read)
    if len(read) != drawn.total:
        raise WassayError(
            f"{weights}: expected a weight for each of {drawn.total:,} rows, received {len(read):,}"
            " weights: write one weight for each row of the file"
        )
    kept = read[drawn.numbers]
    return Measure(points, kept / kept.sum())


@contextmanager
def _warnings_printed() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        typer.echo(f"wassay: {escape_control_characters(str(warning.message))}", err=True)
