"""Read points, and the class of each, from a file or a pipe."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.files.batches import Content
from wassay.files.columns import classes_of, coordinates_of
from wassay.files.content import read_content, sample_content
from wassay.files.errors import Unreadable
from wassay.recipes.sampled import Sampled
from wassay.sampling import DrawnRows, Sample


def read_points(path: Path) -> NDArray[np.float64]:
    """Read points from a `.npy` file or a table of numbers.

    Parameters
    ----------
    path : Path
        As for `read_labelled`.

    Returns
    -------
    ndarray, shape (n, d)
        One point a row.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else.
    PackageMissing
        If it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points, and their classes from a second file or a column.

    Columns that name the rows, as pandas and R write them, are left out with a warning.

    Parameters
    ----------
    path : Path
        A `.npy` file, one point a row; or a table, such as a `.csv` or a `.parquet`, every column
        of which is a coordinate.
    classes : Path, optional
        A `.npy` file with the class of each point.
    class_column : str, optional
        The column of the table that holds each point's class, read as text.

    Returns
    -------
    points : ndarray, shape (n, d)
        One point a row.
    classes : ndarray, shape (n,), or None
        None if neither `classes` nor `class_column` is given.

    Raises
    ------
    InvalidArgumentError
        If a file holds something else, or there are two sources of classes.
    PackageMissing
        If `path` is a table and pyarrow is missing, which the extra `tables` installs.
    """
    content, labels, _ = read_rows(path, classes=classes, class_column=class_column)
    return points_of(content, path, class_column=class_column), labels


def read_weights(path: Path) -> NDArray[np.float64]:
    """Read the weights of points from a `.npy` file, and divide them by their sum.

    Parameters
    ----------
    path : Path
        A `.npy` file with one number for each point.

    Returns
    -------
    ndarray, shape (n,)
        Weights that sum to 1.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else, or the weights have no positive, finite sum.
    """
    weights = read_content(path)
    if not isinstance(weights, np.ndarray) or weights.ndim != 1 or weights.dtype.kind not in "fiu":
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with one number a point, shape (n,), received "
            f"{getattr(weights, 'shape', '')}: save one (numpy.save(path, measure.weights))"
        )
    total = float(weights.sum(dtype=np.float64))
    if not 0 < total < np.inf:
        raise InvalidArgumentError(
            f"{path}: expected weights with a positive, finite sum, received the sum {total}"
        )
    return np.asarray(weights, dtype=np.float64) / total


def read_rows(
    path: Path,
    *,
    classes: Path | None = None,
    class_column: str | None = None,
    sample: Sample | None = None,
    most_rows: int | None = None,
) -> tuple[Content, NDArray[Any] | None, DrawnRows | None]:
    """Read rows for a recipe, and classes as `read_labelled` does.

    Parameters
    ----------
    path : Path
        A table, such as a `.csv` or a `.parquet`, or a `.npy` file.
    classes : Path, optional
        A `.npy` file with the class of each row.
    class_column : str, optional
        The column of the table that holds each row's class, read as text.
    sample : Sample, optional
        Read some rows only: by default the shares of the `class_column`, if given, are kept.
    most_rows : int, optional
        The most rows to read; more are refused before they are read.

    Returns
    -------
    rows : pyarrow.Table or ndarray
        The table with all its columns, that of the classes too; an array if it is a `.npy` file.
    classes : ndarray, shape (n,), or None
        None if neither `classes` nor `class_column` is given.
    drawn : DrawnRows or None
        The numbers of the rows in the file; None without a sample.

    Raises
    ------
    InvalidArgumentError
        If a file holds something else or too many rows, or there are two sources of classes.
    PackageMissing
        If `path` is a table and pyarrow is missing, which the extra `tables` installs.
    """
    labels = _classes_file(classes, class_column)
    content, drawn = _read(path, class_column, sample, most_rows)
    if class_column is not None and not isinstance(content, np.ndarray):
        try:
            labels = classes_of(content, class_column)
        except Unreadable as error:
            raise InvalidArgumentError(f"{path}: {error}") from error
    elif labels is not None and drawn is not None:
        if len(labels) != drawn.total:
            raise InvalidArgumentError(
                f"{classes}: expected a class for each of {drawn.total:,} rows, received "
                f"{len(labels):,}: name the classes of these rows"
            )
        labels = labels[drawn.numbers]
    return content, labels, drawn


def points_of(
    content: Content, path: Path, *, class_column: str | None = None
) -> NDArray[np.float64]:
    """Return the points that the content of a file holds.

    Columns that name the rows are left out with a warning.

    Parameters
    ----------
    content : pyarrow.Table or ndarray
        As `read_rows` returns it.
    path : Path
        The file, for messages.
    class_column : str, optional
        The column of classes, which is no coordinate.

    Returns
    -------
    ndarray, shape (n, d)
        One point a row.

    Raises
    ------
    InvalidArgumentError
        If they are not numbers.
    """
    try:
        if isinstance(content, np.ndarray):
            return _matrix(content)
        return coordinates_of(content, class_column, path)
    except Unreadable as error:
        raise InvalidArgumentError(f"{path}: {error}") from error


def read_table(path: Path, *, class_column: str | None = None) -> Content:
    """Read a table with all its columns, for a recipe to choose from by name.

    Parameters
    ----------
    path : Path
        A table, such as a `.csv` or a `.parquet`, or a `.npy` file.
    class_column : str, optional
        A column that is read as text, so that 00 and 0 differ in every format.

    Returns
    -------
    pyarrow.Table or ndarray
        An array if it is a `.npy` file.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else, or more than 2²⁸ values.
    PackageMissing
        If it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return read_content(path, class_column)


def read_sample(path: Path, sample: Sample, *, class_column: str | None = None) -> Sampled:
    """Read some rows of a table, for `Buyer.ask`, `Seller.answer` and `Seller.check`.

    The file is read in batches: memory holds the drawn rows and one batch.

    Parameters
    ----------
    path : Path
        As for `read_table`.
    sample : Sample
        How many rows to draw.
    class_column : str, optional
        As for `read_table`.

    Returns
    -------
    Sampled

    Raises
    ------
    InvalidArgumentError
        If the file holds something else, or the sample cannot be drawn.
    PackageMissing
        If it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return Sampled(*sample_content(path, sample, class_column))


def _read(
    path: Path, class_column: str | None, sample: Sample | None, most_rows: int | None
) -> tuple[Content, DrawnRows | None]:
    if sample is None:
        return read_content(path, class_column, most_rows=most_rows), None
    if sample.by is None and class_column is not None:
        sample = replace(sample, by=class_column)
    return sample_content(path, sample, class_column)


def _matrix(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise Unreadable(
            "expected a matrix of numbers, one point a row, received shape "
            f"{array.shape} of {array.dtype}: save one (points.reshape(len(points), -1))"
        )
    return array


def _classes_file(classes: Path | None, class_column: str | None) -> NDArray[Any] | None:
    """Read the classes from their file, if there is one."""
    if classes is not None and class_column is not None:
        raise InvalidArgumentError(
            "expected classes from a file or from a column, received both: name one of them"
        )
    return None if classes is None else _labels(classes)


def _labels(path: Path) -> NDArray[Any]:
    labels = read_content(path)
    if not isinstance(labels, np.ndarray) or labels.ndim != 1:
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with one class a point, shape (n,), received "
            f"{getattr(labels, 'shape', '')}: save one, or name a column of the points' table "
            "(--class-column)"
        )
    if labels.dtype.kind != "S":
        return labels
    try:
        return np.char.decode(labels, "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidArgumentError(
            f"{path}: expected classes in UTF-8, received {error.object[:40]!r}: save them as text"
        ) from error
