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
        with path.open("rb") as file:
            points: NDArray[np.float64] = np.lib.format.read_array(file, allow_pickle=False)
    except ValueError as error:
        raise InvalidArgumentError(
            f"{path}: a .npy file of numbers is expected; save it with numpy.save"
        ) from error
    return points
