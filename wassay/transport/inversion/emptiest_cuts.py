"""Divide rows into two groups by a plane that few rows are near."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Rows = NDArray[np.bool_]

_EDGE, _BINS = 4.5, 180
_WIDTHS = (0.12, 0.25)
"""Widths of the kernels that smooth the density of rows along a line, in standard deviations."""

_GRID = (np.arange(_BINS) + 0.5) * (2 * _EDGE / _BINS) - _EDGE
# The factor √2 makes a density's variance by chance equal to its mean, as for a count of rows.
_KERNELS = [
    math.sqrt(2) * np.exp(-np.square((_GRID[:, None] - _GRID) / width) / 2) for width in _WIDTHS
]
"""One kernel for each width: rows counted in bins, times a kernel, give a smooth density of rows.
"""

_QUANTILES = (0.06, 0.15, 0.5, 0.85, 0.94)
_ROUNDS, _WORK = 12, 40_000_000
"""Limits on the rounds of the search, and on the work of each: starts × rows × axes."""

_ROWS_PER_AXIS = 5
"""Fewest rows for each axis: with fewer, some plane separates almost any two groups."""

_FEWEST, _LEAST = 8, 0.03
"""The fewest rows on either side of a cut, and their smallest share of all rows."""

# Of 250 clouds of 51 to 5,000 normal, uniform, exponential, log-normal and long-tailed points in 2
# to 40 dimensions, none had a gap with a score above this.
_BY_CHANCE, _BY_CHANCE_AND_AXIS, _HALF_EMPTY = 4.6, 1.45, 0.5
"""In d dimensions, a gap counts if its score (see `_emptiest`) exceeds 4.6 + 1.45√d, and its
emptiness ½."""

_SAME, _MOST_CUTS = 0.95, 4


@dataclass(frozen=True, eq=False)
class Cut:
    """A plane that divides the rows into two groups.

    Attributes
    ----------
    across : ndarray, shape (n,)
        Signed distance of each row from the plane.
    emptiness : float
        How empty the gap around the plane is: 0 if it is as dense as the lower peak beside it, and
        1 if it has no rows.
    beyond_chance : bool
        Whether the gap is emptier than chance explains, and `emptiness` is above ½.
    """

    across: Matrix
    emptiness: float
    beyond_chance: bool

    @property
    def side(self) -> Rows:
        """Whether each row's signed distance from the plane is positive."""
        return np.asarray(self.across > 0)

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of rows on either side, the smaller one first."""
        above = int(self.side.sum())
        return min(above, len(self.side) - above), max(above, len(self.side) - above)


def emptiest_cuts(points: ArrayLike, components: ArrayLike, guesses: ArrayLike) -> list[Cut]:
    """Find planes that few rows are near; each divides the rows differently.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    components : array_like, shape (n, c)
        Columns to start from, such as independent components. Planes found from these are returned
        even if chance explains their gaps.
    guesses : array_like, shape (n, g)
        Further columns to start from, such as those that other attacks found. Planes found from
        these are returned only if chance does not explain their gaps.

    Returns
    -------
    list of Cut
        At most four, the clearest gap first. Empty if all rows are equal, or are too few: 16 are
        needed, and five for each dimension.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rank == 0 or rows < max(_ROWS_PER_AXIS * rank, 2 * _FEWEST):
        return []
    white = coordinates / np.sqrt(variances)
    most = max(1, _WORK // white.size // (len(_QUANTILES) + 1))
    chance = _BY_CHANCE + _BY_CHANCE_AND_AXIS * math.sqrt(rank)
    found: list[tuple[float, Cut]] = []
    for starts, blind in ((components, True), (guesses, False)):
        sides = _sides(np.asarray(starts, np.float64), most)
        if not sides.shape[1]:
            continue
        across, scores, emptiness = _search(white, sides)
        found += [
            (score, Cut(values, float(empty), beyond))
            for values, score, empty in zip(across.T, scores, emptiness, strict=True)
            if (beyond := bool(score > chance and empty > _HALF_EMPTY)) or (blind and score > 0)
        ]
    found.sort(key=lambda each: -each[0])
    cuts: list[Cut] = []
    for _, cut in found:
        if len(cuts) < _MOST_CUTS and not any(_same_cut(cut.side, other.side) for other in cuts):
            cuts.append(cut)
    return cuts


def _sides(values: Matrix, most: int) -> Matrix:
    """Divide the rows by at most `most` columns of `values`, those with the clearest gaps.

    Return a column of zeros and ones for each division.
    """
    spreads = values.std(axis=0)
    varying = values[:, spreads > 0]
    scaled = (varying - varying.mean(axis=0)) / spreads[spreads > 0]
    scores, _, places = _emptiest(scaled)
    chosen = np.argsort(-scores, kind="stable")[:most]
    scaled, places = scaled[:, chosen], places[chosen]
    # Each column divides the rows at a few quantiles, and at its emptiest gap.
    levels = [*np.quantile(scaled, _QUANTILES, axis=0), places] if len(chosen) else []
    return np.hstack([np.empty((len(values), 0)), *(scaled > level for level in levels)])


def _search(white: Matrix, sides: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Search for planes with empty gaps, starting from the divisions in the columns of `sides`.

    For each plane, return the rows' signed distances, the score of its gap (see `_emptiest`), and
    the gap's emptiness.
    """
    axes = np.zeros((white.shape[1], sides.shape[1]))
    scores, emptiness, places = (np.zeros(sides.shape[1]) for _ in range(3))
    moving = np.arange(sides.shape[1])
    for _ in range(_ROUNDS):
        # Turn the plane perpendicular to the difference of the two sides' means (Fisher's linear
        # discriminant of whitened points), then move it to the emptiest gap.
        towards = white.T @ (sides[:, moving] - sides[:, moving].mean(axis=0))
        lengths = np.linalg.norm(towards, axis=0)
        moving, towards = moving[lengths > 0], towards[:, lengths > 0] / lengths[lengths > 0]
        axes[:, moving] = towards
        along = white @ towards
        scores[moving], emptiness[moving], places[moving] = _emptiest(along)
        divided = along > places[moving]
        changed = (divided != sides[:, moving]).any(axis=0) & (scores[moving] > 0)
        sides[:, moving] = divided  # overwrites the argument
        moving = moving[changed]
        if not len(moving):
            break
    return white @ axes - places, scores, emptiness


def _emptiest(along: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Find the emptiest gap among the coordinates in each column of `along`.

    For each column, return the gap's score, emptiness (see `Cut`) and coordinate; all are 0 without
    a gap.
    """
    rows, columns = along.shape
    bins = np.clip((along + _EDGE) * (_BINS / (2 * _EDGE)), 0, _BINS - 1).astype(np.intp)
    flat = (bins + np.arange(columns) * _BINS).ravel()
    counts = np.bincount(flat, minlength=columns * _BINS).reshape(columns, _BINS)
    below, least = counts.cumsum(axis=1), max(_FEWEST, _LEAST * rows)
    divides = (below >= least) & (below <= rows - least)
    scores, emptiness, places = np.zeros(columns), np.zeros(columns), np.zeros(columns)
    each = np.arange(columns)
    for kernel in _KERNELS:
        density = counts @ kernel
        left = np.maximum.accumulate(density, axis=1)
        right = np.maximum.accumulate(density[:, ::-1], axis=1)[:, ::-1]
        lower = np.minimum(left, right)
        # The score: by how many deviations the gap is emptier than the lower peak beside it. The
        # density varies like a count, and square roots of counts all have about the same variance.
        differences = np.where(divides, 2 * (np.sqrt(lower) - np.sqrt(density)), 0.0)
        best = differences.argmax(axis=1)
        more = differences[each, best] > scores
        scores = np.where(more, differences[each, best], scores)
        share = 1 - density[each, best] / np.maximum(lower[each, best], np.finfo(float).tiny)
        emptiness = np.where(more, share, emptiness)
        places = np.where(more, _GRID[best] + _EDGE / _BINS, places)
    return scores, emptiness, places


def _same_cut(first: Rows, second: Rows) -> bool:
    """Return whether two divisions are nearly the same, up to an exchange of the two sides."""
    alike = float((first == second).mean())
    return max(alike, 1 - alike) > _SAME
