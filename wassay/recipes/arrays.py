"""Convert arrays of torch, JAX, scipy and others to numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.errors import RecipeError
from wassay.recipes.limits import MOST_ELEMENTS


def is_array(value: Any) -> bool:
    """Return whether a value is an array, a series or a sparse matrix, rather than a table."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and not hasattr(value, "columns")


def to_numpy(array: Any) -> NDArray[Any]:
    """Convert an array to numpy; masked elements become NaN.

    Raises
    ------
    RecipeError
        If the array has too many elements, or cannot be converted.
    """
    elements = int(np.prod([int(size) for size in array.shape], dtype=object))
    if elements > MOST_ELEMENTS:
        raise RecipeError(
            f"expected at most {MOST_ELEMENTS:,} numbers in an array, received {elements:,} "
            f"(shape {tuple(array.shape)}): give a sample of the rows, or embed them"
        )
    if isinstance(array, np.ma.MaskedArray):
        return np.ma.filled(array.astype(np.float64), np.nan)
    if hasattr(array, "todense") and hasattr(array, "tocsr"):  # scipy.sparse
        return np.asarray(array.toarray())
    for step in ("detach", "cpu"):  # torch: drop gradients, copy to the CPU
        array = getattr(array, step, lambda kept=array: kept)()
    if "bfloat16" in str(array.dtype):  # numpy lacks bfloat16; float32 holds all its values
        array = array.float() if hasattr(array, "float") else array.astype("float32")
    try:
        found = np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise RecipeError(
            f"expected an array that numpy can read, received {type(array).__name__}: convert it "
            f"to a numpy array ({error})"
        ) from error
    if found.dtype.kind == "c" or found.dtype.kind == "V":
        raise RecipeError(
            f"expected an array of numbers or texts, received {found.dtype}: convert it"
        )
    return found
