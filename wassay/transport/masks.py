"""Reject masked arrays, because numpy would drop the mask and use the masked values as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from wassay.transport.errors import InvalidMeasure, TransportError


def first_masked(values: Any) -> tuple[int, ...] | None:
    """Return the index of the first masked entry of an array or nested list, or None."""
    if isinstance(values, np.ma.MaskedArray):
        if values.dtype.names is not None or not np.ma.is_masked(values):
            return None
        mask = np.ma.getmaskarray(values)
        return tuple(int(index) for index in np.unravel_index(np.argmax(mask), mask.shape))
    if isinstance(values, list | tuple):
        for index, each in enumerate(values):
            inner = first_masked(each)
            if inner is not None:
                return (index, *inner)
    return None


def require_unmasked(values: Any, what: str) -> None:
    """Raise if an entry is masked.

    Parameters
    ----------
    values : array_like
    what : str
        A name for the values in the error message.

    Raises
    ------
    TransportError
        If an entry is masked; the message names the first.
    """
    index = first_masked(values)
    if index is not None:
        raise TransportError(_message(what, index))


def require_unmasked_measure(values: Any, what: str) -> None:
    """Raise if an entry of points or weights is masked.

    Parameters
    ----------
    values : array_like
    what : str
        A name for the values in the error message.

    Raises
    ------
    InvalidMeasure
        If an entry is masked; the message names the first.
    """
    index = first_masked(values)
    if index is not None:
        raise InvalidMeasure(_message(what, index), next(iter(index), None))


def _message(what: str, index: tuple[int, ...]) -> str:
    where = f" at index {', '.join(map(str, index))}" if index else ""
    return (
        f"expected {what} without a mask, received a masked entry{where}: leave such rows out "
        "(numpy.ma.compress_rows) or fill in their values (filled)"
    )
