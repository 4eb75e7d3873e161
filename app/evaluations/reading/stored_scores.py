"""Read scores from the stored arrays, and interpolate them between the s of the sweep."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wassay.transport import curve_weights

from ...arrays import npy
from ...arrays.store import ArrayStore
from ..models import ScoredPoints


def read_stored_scores(store: ArrayStore, scored: ScoredPoints) -> NDArray[np.float64]:
    """Return a party's scores at one s, a row for each point.

    Scores of points have two columns, the values and their spreads; scores of labels have one.
    """
    array = npy.memory_map(store.local_path(scored.digest))
    own = slice(scored.first_column, scored.first_column + 2)
    return np.asarray(array[:, own], dtype=np.float64)


def interpolate_scores(
    store: ArrayStore, scored: Sequence[ScoredPoints], s: float
) -> NDArray[np.float64]:
    """Interpolate a party's scores and their spreads at `s`, and return both as columns.

    `scored` has the party's scores at every s of the sweep, by ascending s.
    """
    weights = curve_weights([each.s for each in scored], s)
    array = np.zeros_like(read_stored_scores(store, scored[0]))
    for weight, each in zip(weights, scored, strict=True):
        array += weight * read_stored_scores(store, each)
    # Where the plan changes between two s, interpolation can give a negative spread.
    array[:, 1] = array[:, 1].clip(min=0.0)
    return array
