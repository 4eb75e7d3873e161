"""Arrays as JSON bodies."""

import numpy as np
import pytest

from app.arrays.entry_validation import COSTS, POINTS, Contents
from app.arrays.json_arrays import from_npy, largest_body


@pytest.mark.parametrize("contents", [POINTS, COSTS])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1000, 1), (3, 400)])
def test_no_body_is_larger_than_said_and_the_longest_numbers_come_near(
    contents: Contents, weighted: bool, shape: tuple[int, int]
) -> None:
    longest = np.nextafter(-1.2345678901234567e-123, 0)
    rows, columns = shape
    array = np.full((rows, columns + weighted), longest)
    largest = largest_body(rows, columns, weighted=weighted)
    size = len(from_npy(array, contents, weighted=weighted))
    assert size <= largest
    assert size + 40 >= largest
