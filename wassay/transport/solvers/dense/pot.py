"""POT's exact solver, without the rest of POT, which takes a second to load."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_LOADING = RLock()


class PostponedPackage(ModuleType):
    """A package whose `__init__` runs once a name is read that the package does not have."""

    def __getattr__(self: ModuleType, name: str) -> Any:
        """Run `__init__`, unless it has run, and return the attribute `name`."""
        with _LOADING:
            spec = self.__spec__
            if spec is not None and spec.loader is not None:
                # From here on this is an ordinary module, in which `__init__` finds its own names.
                self.__class__ = ModuleType
                spec.loader.exec_module(self)
        return getattr(self, name)


def without_package(name: str) -> Any:
    """Import the module `name`, and postpone the `__init__` of its package."""
    package = name.partition(".")[0]
    spec = find_spec(package) if package not in sys.modules else None
    if spec is not None:
        postponed = module_from_spec(spec)
        postponed.__class__ = PostponedPackage
        sys.modules[package] = postponed
    return import_module(name)


# The package `ot` would load all its modules, and `scipy.stats`.
emd = without_package("ot.lp").emd
"""Solve a transport problem exactly: POT's `ot.emd`."""
