"""The registry of modes of contribution, by name."""

from .array_mode import ArrayMode
from .cost_block import CostBlockMode
from .measure import MeasureMode
from .mode import ContributionMode
from .scalar import ScalarMode
from .stated_mode import StatedMode

ARRAY_MODES: dict[str, ArrayMode] = {mode.name: mode for mode in (MeasureMode(), CostBlockMode())}
STATED_MODES: dict[str, StatedMode] = {mode.name: mode for mode in (ScalarMode(),)}


def mode_of(name: str) -> ContributionMode:
    """Return the mode with a name in `wassay.modes.MODES`."""
    return ARRAY_MODES[name] if name in ARRAY_MODES else STATED_MODES[name]
