"""Load POT before the first task, without two packages that only unused functions of POT need.

POT loads scikit-learn, if installed, for clustering, and `scipy.stats` for generating data. These
two take longer to load than everything else that a solver process needs.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import cast


class PostponedDatasets(PathFinder):
    """Find `ot.datasets`, and delay loading it until one of its attributes is read."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of `ot.datasets`, and None for every other module."""
        if fullname != "ot.datasets":
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


# None makes the import of scikit-learn fail at once, which POT tolerates.
sys.modules["sklearn"] = cast("ModuleType", None)
sys.meta_path.insert(0, PostponedDatasets)

import ot  # noqa: E402, F401
