"""Convert random 64-bit words to uniform numbers, identically on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def uniforms(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Map each word w to ((w >> 12) + ½) / 2⁵², an odd multiple of 2⁻⁵³ in (0, 1)."""
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
