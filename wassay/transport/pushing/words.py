"""Random 64-bit words as numbers, the same on every machine and with every version of numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def uniforms(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Word w becomes ((w >> 12) + ½) / 2⁵², an odd multiple of 2⁻⁵³ strictly between 0 and 1."""
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
