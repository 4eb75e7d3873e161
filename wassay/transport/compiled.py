"""Compile loops to machine code.

Import a module of compiled functions only inside the function that calls them.
"""

# Numba takes half a second to load.

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and cache the machine code on disk.

    The machine code releases the GIL.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
    """
    return _compiled(function, frozenset())


def compiled_in_any_order(function: Function) -> Function:
    """Do what `compiled` does, but allow the function's sums to be computed in another order.

    If the function computes with NaN, its result is arbitrary.
    """
    return _compiled(function, frozenset({"reassoc", "contract", "nsz", "nnan"}))


def compiled_into_callers(function: Function) -> Function:
    """Do what `compiled` does, and copy the function's code to wherever it is called.

    Use it for short functions with many array arguments, for which a call is costly.
    """
    return _compiled(function, frozenset(), forceinline=True)


def _compiled(
    function: Function, fastmath_flags: frozenset[str], *, forceinline: bool = False
) -> Function:
    flags = set(fastmath_flags)
    try:
        jitted: Function = njit(
            function, nogil=True, cache=True, fastmath=flags, forceinline=forceinline
        )
    except RuntimeError:  # no writable cache directory: every process compiles anew, for seconds
        jitted = njit(function, nogil=True, fastmath=flags, forceinline=forceinline)
    return jitted
