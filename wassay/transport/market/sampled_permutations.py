"""Shapley values averaged over random permutations of many sellers, less what is known without
solving.

What a seller adds depends on who came before, and above all on how far these are. A simple model
says most of it: W² of a coalition is the mean of one number for each member, and another over the
size of the coalition. It is fitted to coalitions that were solved. The Shapley values of the model
itself follow from so many permutations that they are nearly exact, for asking it costs nothing;
only what it does not say is averaged over the few permutations that are solved. However bad the
model, the averages stay right, since it is taken off from other permutations than those that it is
fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Distance = Callable[[frozenset[str]], float]
Floats = NDArray[np.float64]
Permutations = NDArray[np.intp]

_MODEL_PLACES = 1_000_000
"""Places in the permutations that the model's own values are averaged over."""
_RIDGE = 1e-9
"""Of the fit: where permutations are few, what is added for each member is not determined by them.
"""


def sampled_permutations(
    count: int, permutations: int, first: int = 0, seed: int = 0
) -> Permutations:
    """Random permutations of so many, each with itself backwards as the next.

    Parameters
    ----------
    count : int
    permutations, first : int
        How many, and how many there are before them: even.
    seed : int

    Returns
    -------
    ndarray of int, shape (permutations, count)
    """
    pairs = range(first // 2, (first + permutations) // 2)
    forwards = [np.random.default_rng((seed, pair)).permutation(count) for pair in pairs]
    both = [order[::step] for order in forwards for step in (1, -1)]
    return np.array(both, dtype=np.intp).reshape(len(both), count)


def sampled_coalitions(
    sellers: Sequence[str], permutations: int, first: int = 0, seed: int = 0
) -> list[frozenset[str]]:
    """The coalitions of those who come first in random permutations, for whoever names them
    beforehand.

    Each once; all together, each alone and all without each, which values take too, are not among
    them.

    Parameters
    ----------
    sellers : sequence of str
    permutations, first, seed
        See `sampled_permutations`.
    """
    players = tuple(sellers)
    known = {}
    for order in sampled_permutations(len(players), permutations, first, seed):
        known.update(dict.fromkeys(_growing(players, order)))
    return [coalition for coalition in known if 1 < len(coalition) < len(players) - 1]


@dataclass(frozen=True)
class Averages:
    """Values in the order of the sellers, and standard errors: infinite where nothing is known."""

    values: Floats
    errors: Floats


def averages(
    players: tuple[str, ...],
    distance: Distance,
    weights: Mapping[str, float],
    permutations: int,
    seed: int,
) -> Averages:
    """Shapley values of −W over so many permutations.

    What the first and the last of an order add is exact: each seller alone, and left out.

    Parameters
    ----------
    players : tuple of str
        At least three.
    distance : callable
        W of each alone, of all, of all without each, and of `sampled_coalitions`.
    weights : mapping of str to float
        How much each weighs in a coalition.
    permutations : int
        Even, at least two.
    seed : int
    """
    count, everyone = len(players), frozenset(players)
    alone = np.array([distance(frozenset((player,))) for player in players])
    without = np.array([distance(everyone - {player}) for player in players])
    ends = (alone.max() - alone + without - distance(everyone)) / count
    sampled = sampled_permutations(count, permutations, seed=seed)
    solved = np.array([[distance(g) for g in _growing(players, order)] for order in sampled])
    masses = np.array([weights[player] for player in players])
    added, modelled, doubt = _in_pairs(sampled, solved), np.zeros(count), np.zeros(count)
    left = added.copy()
    for half in (0, 1):
        here = np.arange(len(added)) % 2 == half
        if here.all() or not here.any():
            continue
        others = np.repeat(~here, 2)
        model = _Model.fitted(sampled[others], solved[others], masses)
        says = _in_pairs(sampled, model.growing(sampled))
        trust = _slope(added[~here], says[~here])
        own, own_error = model.between(seed)
        left[here] += trust * (own - says[here])
        modelled += here.mean() * own
        doubt += here.mean() * abs(trust) * own_error
    seen, mean, error = _averaged(left)
    share = (count - 2) / count
    return Averages(
        ends + share * np.where(seen > 0, mean, modelled), share * np.hypot(error, doubt)
    )


@dataclass(frozen=True, eq=False)
class _Model:
    """W² of a coalition as Σ w_i a_i / Σ w_i + b w̄ / Σ w_i, over its members."""

    masses: Floats
    each: Floats
    spread: float

    @classmethod
    def fitted(cls, permutations: Permutations, solved: Floats, masses: Floats) -> _Model:
        """Fit the coalitions that permutations begin with, except the grand coalition."""
        rows = [_terms(order, masses)[:-1] for order in permutations]
        terms, squares = np.concatenate(rows), np.square(solved).ravel()
        products = terms.T @ terms
        products[np.diag_indices_from(products)] += _RIDGE * len(terms)
        *each, spread = np.linalg.solve(products, terms.T @ squares)
        return cls(masses, np.array(each), float(spread))

    def growing(self, permutations: Permutations) -> Floats:
        """W of those who come first in each order, all but one at most."""
        mass = np.cumsum(self.masses[permutations], axis=1)
        sums = np.cumsum((self.masses * self.each)[permutations], axis=1)
        squares = (sums + self.spread * self.masses.mean()) / mass
        distances: Floats = np.sqrt(np.maximum(squares, 0.0))[:, :-1]
        return distances

    def between(self, seed: int) -> tuple[Floats, Floats]:
        """What each adds on average between the first and the last, and that one's error."""
        count = len(self.masses)
        random = np.random.default_rng((seed, count))
        pairs = max(_MODEL_PLACES // (2 * count), 2)
        forwards = random.permuted(np.tile(np.arange(count), (pairs, 1)), axis=1)
        permutations = np.stack([forwards, forwards[:, ::-1]], axis=1).reshape(2 * pairs, count)
        _, mean, error = _averaged(_in_pairs(permutations, self.growing(permutations)))
        return mean, error


def _terms(order: NDArray[np.intp], masses: Floats) -> Floats:
    """What multiplies the model's numbers, for the coalition of the first, of the first two, …."""
    shares = np.zeros((len(order), len(masses) + 1))
    shares[np.arange(len(order)), order] = masses[order]
    shares[0, -1] = masses.mean()
    sums = np.cumsum(shares, axis=0)
    sums /= np.cumsum(masses[order])[:, None]
    return sums


def _in_pairs(permutations: Permutations, growing: Floats) -> Floats:
    """What everybody adds, in the mean of an order and itself backwards; NaN for first and last."""
    added = np.full(permutations.shape, np.nan)
    np.put_along_axis(added, permutations[:, 1:-1], -np.diff(growing, axis=1), axis=1)
    pairs: Floats = added.reshape(-1, 2, permutations.shape[1]).mean(axis=1)
    return pairs


def _slope(added: Floats, says: Floats) -> float:
    """By how much what sellers add varies, where what a model says of it varies by one."""
    known = ~np.isnan(added)
    seen = np.maximum(known.sum(axis=0), 1)

    def centred(samples: Floats) -> Floats:
        filled = np.where(known, samples, 0.0)
        return np.where(known, filled - filled.sum(axis=0) / seen, 0.0)

    varies = centred(says)
    squares = float(np.square(varies).sum())
    return float((varies * centred(added)).sum()) / squares if squares > 0 else 0.0


def _averaged(samples: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """How many samples there are of each, their mean, and its standard error."""
    known = ~np.isnan(samples)
    seen: NDArray[np.intp] = known.sum(axis=0)
    mean = np.where(known, samples, 0.0).sum(axis=0) / np.maximum(seen, 1)
    squares = np.where(known, np.square(samples - mean), 0.0).sum(axis=0)
    unknown = np.full(len(mean), np.inf)
    error = np.sqrt(np.divide(squares, seen * (seen - 1.0), out=unknown, where=seen > 1))
    return seen, mean, error


def _growing(players: tuple[str, ...], order: NDArray[np.intp]) -> Iterator[frozenset[str]]:
    """The coalitions of the first, of the first two, … of all but the last."""
    coalition: frozenset[str] = frozenset()
    for index in order[:-1]:
        coalition |= {players[index]}
        yield coalition
