"""Compile loops to machine code.

Import a module of compiled functions inside the function that calls them. Numba takes half a second
to load, and small problems should not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and cache the machine code on disk.

    The machine code releases the GIL. The cache is beside the module, in the user's cache
    directory, or in NUMBA_CACHE_DIR. If none of these is writable, every process compiles anew,
    which takes seconds.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
    """
    return _compiled(function, frozenset())


def compiled_in_any_order(function: Function) -> Function:
    """Compile a function like `compiled`, but let its sums be reordered and vectorised.

    The function must not meet a NaN.
    """
    return _compiled(function, frozenset({"reassoc", "contract", "nsz", "nnan"}))


def compiled_into_callers(function: Function) -> Function:
    """Compile a function like `compiled`, and copy its code to wherever it is called.

    This pays for short functions of many arrays, because a call copies seven numbers of each array
    to the stack.
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
    except RuntimeError:  # numba found no writable cache directory
        jitted = njit(function, nogil=True, fastmath=flags, forceinline=forceinline)
    return jitted
