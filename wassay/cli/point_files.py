"""Read points and their classes from files, and print warnings to standard error."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

from wassay import files
from wassay.control_characters import escape_control_characters


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
