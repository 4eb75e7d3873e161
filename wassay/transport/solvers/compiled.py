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
    return _compiled(function, frozenset())


def compiled_in_any_order(function: Function) -> Function:
    """The same where sums of finite numbers may be taken in any order, so several at once."""
    return _compiled(function, frozenset({"reassoc", "contract", "nsz", "nnan"}))


def _compiled(function: Function, liberties: frozenset[str]) -> Function:
    try:
        compiling: Function = njit(function, nogil=True, cache=True, fastmath=set(liberties))
    except RuntimeError:  # numba's answer where there is nowhere to keep code
        compiling = njit(function, nogil=True, fastmath=set(liberties))
    return compiling
