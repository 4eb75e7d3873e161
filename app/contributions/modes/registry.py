"""Find a mode of contribution by its name, which is also the name of its module."""

from functools import cache
from importlib import import_module
from typing import cast

from wassay.modes import MODES

from .array_mode import ArrayMode
from .mode import ContributionMode
from .stated_mode import StatedMode


@cache
def mode_of(name: str) -> ContributionMode:
    """Return the mode with this name."""
    mode: ContributionMode = import_module(f"{__package__}.{name.replace('-', '_')}").MODE
    return mode


def array_mode_of(name: str) -> ArrayMode:
    """Return the `ArrayMode` with this name; call this only with the name of one."""
    # Import only this mode, because solver processes must not load what other modes import.
    return cast("ArrayMode", mode_of(name))


def array_modes() -> dict[str, ArrayMode]:
    """Return the modes in which sellers upload arrays, keyed by name."""
    return {name: mode for name in MODES if isinstance(mode := mode_of(name), ArrayMode)}


def stated_modes() -> dict[str, StatedMode]:
    """Return the modes in which sellers compute the curve of distances, keyed by name."""
    return {name: mode for name in MODES if isinstance(mode := mode_of(name), StatedMode)}
