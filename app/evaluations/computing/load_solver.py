"""Load POT before the first task, without scikit-learn, which it would load if it is installed.

POT takes clusterings from scikit-learn that we never call. Loading it takes as long as all the
rest.
"""

import sys
from types import ModuleType
from typing import cast

sys.modules["sklearn"] = cast("ModuleType", None)  # its import fails at once, and POT does without

import ot  # noqa: E402, F401
