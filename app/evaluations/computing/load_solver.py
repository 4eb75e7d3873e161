"""Load POT before the first task, without two things that it needs only for what we never call.

POT loads scikit-learn for clusterings, if it is installed, and `scipy.stats` for made-up data.
Loading them takes longer than loading everything else that a solver process needs.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import cast


class PostponedDatasets(PathFinder):
    """Finds `ot.datasets`, and has it loaded when one of its attributes is read."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's specification, or None for every other module."""
        if fullname != "ot.datasets":
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


sys.modules["sklearn"] = cast("ModuleType", None)  # its import fails at once, and POT does without
sys.meta_path.insert(0, PostponedDatasets)

import ot  # noqa: E402, F401
