"""Load POT before the first task, but not scikit-learn, which POT loads if it is installed.

POT needs scikit-learn only for clusterings that we never call, and loading it takes as long as
loading everything else.
"""

import sys
from types import ModuleType
from typing import cast

sys.modules["sklearn"] = cast("ModuleType", None)  # its import fails at once, and POT does without

import ot  # noqa: E402, F401
