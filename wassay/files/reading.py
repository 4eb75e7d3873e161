"""Read points and their classes, or rows for a recipe, from a file or a pipe."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.errors import InvalidArgumentError
from wassay.files.batches import Content
from wassay.files.columns import classes_of, coordinates_of
from wassay.files.content import read_content, sample_content
from wassay.files.errors import Unreadable
from wassay.recipes.sampled import Sampled
from wassay.sampling import DrawnRows, Sample


def read_points(path: Path) -> NDArray[np.float64]:
    """Read points from a `.npy` file or a table of numbers.

    This leaves out columns that name the rows, as pandas and R write them, and warns of them.

    Parameters
    ----------
    path : Path
        A `.npy` file with one point in each row, or a table, such as a `.csv` or `.parquet` file.

    Returns
    -------
    ndarray, shape (n, d)
        One point in each row.

    Raises
    ------
    InvalidArgumentError
        If the file does not contain points.
    PackageMissing
        If the file is a table and pyarrow is not installed; the extra `tables` installs it.
    """
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points from a file, and their classes from a column or a second file.

    Columns of row names, as pandas and R write them, are left out with a warning.

    Parameters
    ----------
    path : Path
        A `.npy` file with one point in each row, or a table, such as a `.csv` or `.parquet` file.
    classes : Path, optional
        A `.npy` file with the class of each point.
    class_column : str, optional
        The column of the table with the class of each point, which is read as text.

    Returns
    -------
    points : ndarray, shape (n, d)
        One point in each row.
    classes : ndarray, shape (n,), or None
        The class of each point; None if neither `classes` nor `class_column` is given.

    Raises
    ------
    InvalidArgumentError
        If a file does not contain points or classes, or both `classes` and `class_column` are
        given.
    PackageMissing
        If `path` is a table and pyarrow is not installed; the extra `tables` installs it.
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
        The weights, which sum to 1.

    Raises
    ------
    InvalidArgumentError
        If the file is not an array of numbers, or the numbers have no positive, finite sum.
    """
    weights = read_content(path)
    if not isinstance(weights, np.ndarray) or weights.ndim != 1 or weights.dtype.kind not in "fiu":
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with a number for each point, shape (n,), received "
            f"{getattr(weights, 'shape', 'a table')}: save such an array "
            "(numpy.save(path, measure.weights))"
        )
    total = float(weights.sum(dtype=np.float64))
    if not 0 < total < np.inf:
        raise InvalidArgumentError(
            f"{path}: expected weights with a positive, finite sum, received the sum {total}: "
            "write a weight of at least 0 for each point"
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
    """Read rows with all columns, for a recipe, and their classes from a column or a second file.

    Parameters
    ----------
    path : Path
        A table, such as a `.csv` or `.parquet` file, or a `.npy` file.
    classes : Path, optional
        A `.npy` file with the class of each row.
    class_column : str, optional
        The column of the table with the class of each row, which is read as text.
    sample : Sample, optional
        The sample to read. If it names no column to stratify by, it is stratified by
        `class_column`.
    most_rows : int, optional
        The largest number of rows to accept. A file that is sampled may have more.

    Returns
    -------
    rows : pyarrow.Table or ndarray
        The table with all columns; an array for a `.npy` file.
    classes : ndarray, shape (n,), or None
        The class of each row; None if neither `classes` nor `class_column` is given.
    drawn : DrawnRows or None
        The numbers of the drawn rows in the file; None without a sample.

    Raises
    ------
    InvalidArgumentError
        If a file is in no known format or has too many rows, or both `classes` and `class_column`
        are given. With a sample, also if `classes` does not have one class for each row.
    PackageMissing
        If `path` is a table and pyarrow is not installed; the extra `tables` installs it.
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
                f"{len(labels):,} classes: name the file with the classes of these rows"
            )
        labels = labels[drawn.numbers]
    return content, labels, drawn


def points_of(
    content: Content, path: Path, *, class_column: str | None = None
) -> NDArray[np.float64]:
    """Return the points in the content of a file.

    This leaves out columns that name the rows, and warns of them.

    Parameters
    ----------
    content : pyarrow.Table or ndarray
        The rows that `read_rows` returns.
    path : Path
        The file, for messages.
    class_column : str, optional
        The column of classes, which is not a coordinate.

    Returns
    -------
    ndarray, shape (n, d)
        One point in each row.

    Raises
    ------
    InvalidArgumentError
        If an array is not a matrix of numbers. If a table has coordinates that are missing or no
        numbers, a column that only numbers the rows, or no coordinates.
    """
    try:
        if isinstance(content, np.ndarray):
            return _matrix(content)
        return coordinates_of(content, class_column, path)
    except Unreadable as error:
        raise InvalidArgumentError(f"{path}: {error}") from error


def read_table(path: Path, *, class_column: str | None = None) -> Content:
    """Read all rows and columns of a table, for a recipe.

    Parameters
    ----------
    path : Path
        A table, such as a `.csv` or `.parquet` file, or a `.npy` file.
    class_column : str, optional
        A column to read as text, so that 00 and 0 differ in a `.csv` file.

    Returns
    -------
    pyarrow.Table or ndarray
        An array for a `.npy` file.

    Raises
    ------
    InvalidArgumentError
        If the file is in no known format, or has more than 2²⁸ values.
    PackageMissing
        If the file is a table and pyarrow is not installed; the extra `tables` installs it.
    """
    return read_content(path, class_column)


def read_sample(path: Path, sample: Sample, *, class_column: str | None = None) -> Sampled:
    """Read a sample of the rows of a table, for `Buyer.ask`, `Seller.answer` and `Seller.check`.

    Memory holds only the drawn rows and one batch, unless the file is a pipe or text in UTF-16.

    Parameters
    ----------
    path : Path
        A table, such as a `.csv` or `.parquet` file, or a `.npy` file.
    sample : Sample
        The sample to draw.
    class_column : str, optional
        A column to read as text, so that 00 and 0 differ in a `.csv` file.

    Returns
    -------
    Sampled

    Raises
    ------
    InvalidArgumentError
        If the file is in no known format, or the sample cannot be drawn.
    PackageMissing
        If the file is a table and pyarrow is not installed; the extra `tables` installs it.
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
            "expected a matrix of numbers, with a point in each row, received shape "
            f"{array.shape} of {array.dtype}: save a matrix (points.reshape(len(points), -1))"
        )
    return array


def _classes_file(classes: Path | None, class_column: str | None) -> NDArray[Any] | None:
    """Read the file of classes, or return None without one; raise if a column is given too."""
    if classes is not None and class_column is not None:
        raise InvalidArgumentError(
            "expected classes from a file or from a column, received both: name one of them"
        )
    return None if classes is None else _labels(classes)


def _labels(path: Path) -> NDArray[Any]:
    labels = read_content(path)
    if not isinstance(labels, np.ndarray) or labels.ndim != 1:
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with a class for each point, shape (n,), received "
            f"{getattr(labels, 'shape', 'a table')}: save such an array, or name a column of the "
            "points' table (--class-column)"
        )
    if labels.dtype.kind != "S":
        return labels
    try:
        return np.char.decode(labels, "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidArgumentError(
            f"{path}: expected classes in UTF-8, received {error.object[:40]!r}: save them as text"
        ) from error
