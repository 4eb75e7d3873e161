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
        Rate at which W_p^p changes as mass moves from the other points to this one. Positive if the
        point increases the distance (noise), negative if it decreases it (valuable). The rates of
        gaining and of losing mass may differ: the value is their midpoint or, for a point without
        mass, the rate of gaining.
    spread : ndarray, shape (n,)
        Difference between the rates of gaining and of losing mass, >= 0.
    method : {"exact", "landmarks"}
        "exact": mass is exchanged with all other points. "landmarks": it is exchanged with the
        points of a few components of the plan, which represent all (see `choose_landmarks`).
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
