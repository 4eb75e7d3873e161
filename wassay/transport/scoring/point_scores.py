"""The scores of the points of one measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.tabular import Columns, Tabular

Method: TypeAlias = Literal["exact", "landmarks"]
"""With which points the scored point exchanges mass: all others, or those of a few components."""


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Tabular):
    """Scores of the points of one measure.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Derivative of W_p^p when mass moves from the other points to this one, in units of the cost.
        Positive: the point increases the distance (noise). Negative: it decreases the distance
        (valuable). For a point with mass, the midpoint of the rates of gaining and of losing mass;
        for a point without mass, the rate of gaining.
    spread : ndarray, shape (n,)
        Difference between the rates of gaining and of losing mass, >= 0; zero where the potential
        is unique.
    method : {"exact", "landmarks"}
        "exact": mass is exchanged with all other points. "landmarks": the points of at most
        `LANDMARKS` components of the plan represent all others (see `choose_landmarks`). This is
        used for plans of more than `MAX_COMPONENTS` components.
    """

    values: NDArray[np.float64]
    spread: NDArray[np.float64]
    method: Method

    def to_dict(self) -> Columns:
        """Return the columns `row`, `score` and `spread`, with an entry for each point.

        Returns
        -------
        dict of str to list
        """
        return {
            "row": list(range(len(self.values))),
            "score": self.values.tolist(),
            "spread": self.spread.tolist(),
        }
