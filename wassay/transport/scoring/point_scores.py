"""What scores are: numbers for the points of one measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Method: TypeAlias = Literal["exact", "landmarks"]


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the points of one measure.

    Attributes
    ----------
    values : ndarray, shape (n,)
        In units of the cost. Positive: the point pushes the distance up (noise). Negative: it
        pulls the distance down (valuable). A point without mass can only gain some, so its value
        is the rate of gaining.
    spread : ndarray, shape (n,)
        Rate of gaining mass less rate of losing it, >= 0; zero where the potential is unique.
    method : str
        "exact": mass comes from, and goes to, all other points. "landmarks": points in `LANDMARKS`
        parts of the plan, at equal steps in the order of what their transport costs, stand for
        all; used for plans of more than `MOST_PARTS` parts.
    """

    values: NDArray[np.float64]
    spread: NDArray[np.float64]
    method: Method
