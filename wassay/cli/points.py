"""Points from files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError


def read_points(path: Path) -> NDArray[np.float64]:
    """Read a matrix, one point a row, from a `.npy` file; never a pickle.

    Raises
    ------
    InvalidArgumentError
        When the file holds something else.
    """
    try:
        points = np.load(path, allow_pickle=False)
    except ValueError as error:
        raise InvalidArgumentError(f"{path} is not a .npy file of numbers: {error}") from error
    if not isinstance(points, np.ndarray):
        raise InvalidArgumentError(f"{path} is an archive; save one array with numpy.save")
    return points
