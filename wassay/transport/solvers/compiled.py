"""Loops as machine code.

Modules that use this are imported where they are first needed: numba takes half a second to load,
which small problems should not wait for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile at the first call, without the interpreter's lock, and keep the code on disk.

    It is kept beside the module, else in the user's cache, or where NUMBA_CACHE_DIR says; where
    none of them can be written, every process compiles anew (seconds).
    """
    try:
        compiling: Function = njit(function, nogil=True, cache=True)
    except RuntimeError:  # numba's answer where there is nowhere to keep code
        compiling = njit(function, nogil=True)
    return compiling
