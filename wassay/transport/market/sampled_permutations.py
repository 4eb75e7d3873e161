"""Estimate Shapley values from random permutations.

A seller's gain is how much it reduces the distance of the sellers before it in a permutation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Distance = Callable[[frozenset[str]], float]
Floats = NDArray[np.float64]
Permutations = NDArray[np.intp]

_MODEL_SAMPLES = 1_000_000
"""Number of predicted gains from which a model's mean gains are computed."""
_RIDGE = 1e-9
"""Ridge penalty of the fit: few permutations do not determine all coefficients."""


def sampled_permutations(
    count: int, permutations: int, first: int = 0, seed: int = 0
) -> Permutations:
    """Draw part of an endless random sequence of permutations, each followed by its reverse.

    Parameters
    ----------
    count : int
        Length of a permutation.
    permutations : int
        Number of permutations to draw; even.
    first : int
        How many permutations at the start of the sequence to skip; even.
    seed : int
        Seed of the sequence.

    Returns
    -------
    ndarray of int, shape (permutations, count)
    """
    pairs = range(first // 2, (first + permutations) // 2)
    forwards = [np.random.default_rng((seed, pair)).permutation(count) for pair in pairs]
    both = [permutation[::step] for permutation in forwards for step in (1, -1)]
    return np.array(both, dtype=np.intp).reshape(len(both), count)


def sampled_coalitions(
    contribution_ids: Sequence[str], permutations: int, first: int = 0, seed: int = 0
) -> list[frozenset[str]]:
    """List the coalitions that must be solved for sampled permutations, each once.

    Singletons, leave-one-out coalitions and the grand coalition are not listed.

    Parameters
    ----------
    contribution_ids : sequence of str
    permutations, first, seed
        See `sampled_permutations`.

    Returns
    -------
    list of frozenset of str
    """
    ids = tuple(contribution_ids)
    prefixes: dict[frozenset[str], None] = {}
    for permutation in sampled_permutations(len(ids), permutations, first, seed):
        prefixes.update(dict.fromkeys(_prefixes(ids, permutation)))
    # All others are solved anyway.
    return [coalition for coalition in prefixes if 1 < len(coalition) < len(ids) - 1]


@dataclass(frozen=True)
class ShapleyEstimate:
    """Estimated Shapley values and their standard errors.

    The standard error is infinite for a seller with too few samples.
    """

    values: Floats
    errors: Floats


def estimate_shapley(
    contribution_ids: tuple[str, ...],
    distance: Distance,
    weights: Mapping[str, float],
    permutations: int,
    seed: int,
) -> ShapleyEstimate:
    """Estimate Shapley values from sampled permutations.

    The value of a coalition is minus its distance to the buyer.

    Parameters
    ----------
    contribution_ids : tuple of str
        At least three.
    distance : callable
        Returns the distance of a coalition: any singleton, any leave-one-out coalition, the grand
        coalition, and each of `sampled_coalitions`.
    weights : mapping of contribution id to float
        Weight of each contribution in a coalition.
    permutations : int
        Even, at least two.
    seed : int

    Returns
    -------
    ShapleyEstimate
        In the order of `contribution_ids`.
    """
    count, grand_coalition = len(contribution_ids), frozenset(contribution_ids)
    singletons = np.array([distance(frozenset((each,))) for each in contribution_ids])
    leave_one_out = np.array([distance(grand_coalition - {each}) for each in contribution_ids])
    # Gains at the first and the last position are exact: these coalitions are all solved.
    ends = (singletons.max() - singletons + leave_one_out - distance(grand_coalition)) / count
    sampled = sampled_permutations(count, permutations, seed=seed)
    solved = np.array(
        [
            [distance(coalition) for coalition in _prefixes(contribution_ids, permutation)]
            for permutation in sampled
        ]
    )
    masses = np.array([weights[each] for each in contribution_ids])
    gains, modelled, model_error = (
        _gains_by_pair(sampled, solved),
        np.zeros(count),
        np.zeros(count),
    )
    corrected = gains.copy()
    # A linear model predicts gains (a control variate), and the solved permutations correct its
    # means. Each correction uses a model that was fitted to other permutations, so the estimate is
    # unbiased, however bad the model is.
    for half in (0, 1):
        fold = np.arange(len(gains)) % 2 == half
        if fold.all() or not fold.any():
            continue
        fitted_rows = np.repeat(~fold, 2)
        model = _Model.fitted(sampled[fitted_rows], solved[fitted_rows], masses)
        predicted = _gains_by_pair(sampled, model.prefix_distances(sampled))
        coefficient = _slope(gains[~fold], predicted[~fold])
        model_values, values_error = model.interior_values(seed)
        corrected[fold] += coefficient * (model_values - predicted[fold])
        modelled += fold.mean() * model_values
        model_error += fold.mean() * abs(coefficient) * values_error
    counts, mean, error = _mean_and_error(corrected)
    share = (count - 2) / count
    return ShapleyEstimate(
        ends + share * np.where(counts > 0, mean, modelled), share * np.hypot(error, model_error)
    )


@dataclass(frozen=True, eq=False)
class _Model:
    """A linear model of the squared distance between a coalition and the buyer.

    Attributes
    ----------
    masses : ndarray, shape (N,)
        The weight of each seller.
    coefficients : ndarray, shape (N,)
        The coefficient of each seller.
    constant : float
    """

    masses: Floats
    coefficients: Floats
    constant: float

    @classmethod
    def fitted(cls, permutations: Permutations, solved: Floats, masses: Floats) -> _Model:
        """Fit the model to `solved`: for each permutation, the distances of its proper prefixes."""
        rows = [_design_matrix(permutation, masses)[:-1] for permutation in permutations]
        terms, squares = np.concatenate(rows), np.square(solved).ravel()
        products = terms.T @ terms
        products[np.diag_indices_from(products)] += _RIDGE * len(terms)
        *coefficients, constant = np.linalg.solve(products, terms.T @ squares)
        return cls(masses, np.array(coefficients), float(constant))

    def prefix_distances(self, permutations: Permutations) -> Floats:
        """Predict the distance of each proper prefix, with a row for each permutation."""
        # With weights w_i, coefficients a_i and the constant b, the squared distance of a coalition
        # is (Σ w_i a_i + b w̄) / Σ w_i. The sums are over its members; w̄ is the mean of all weights.
        mass = np.cumsum(self.masses[permutations], axis=1)
        sums = np.cumsum((self.masses * self.coefficients)[permutations], axis=1)
        squares = (sums + self.constant * self.masses.mean()) / mass
        distances: Floats = np.sqrt(np.maximum(squares, 0.0))[:, :-1]
        return distances

    def interior_values(self, seed: int) -> tuple[Floats, Floats]:
        """Return the mean gain that the model predicts for each seller, and its standard error.

        Gains at the first and the last position of a permutation are left out.
        """
        count = len(self.masses)
        random = np.random.default_rng((seed, count))
        pairs = max(_MODEL_SAMPLES // (2 * count), 2)
        forwards = random.permuted(np.tile(np.arange(count), (pairs, 1)), axis=1)
        permutations = np.stack([forwards, forwards[:, ::-1]], axis=1).reshape(2 * pairs, count)
        _, mean, error = _mean_and_error(
            _gains_by_pair(permutations, self.prefix_distances(permutations))
        )
        return mean, error


def _design_matrix(permutation: NDArray[np.intp], masses: Floats) -> Floats:
    """Return the factors by which the model multiplies the coefficients and the constant.

    There is a row for each prefix of the permutation; the last column belongs to the constant.
    """
    shares = np.zeros((len(permutation), len(masses) + 1))
    shares[np.arange(len(permutation)), permutation] = masses[permutation]
    shares[0, -1] = masses.mean()
    sums = np.cumsum(shares, axis=0)
    sums /= np.cumsum(masses[permutation])[:, None]
    return sums


def _gains_by_pair(permutations: Permutations, prefix_distances: Floats) -> Floats:
    """Average each seller's gain over a permutation and its reverse, shape (pairs, sellers).

    The result is NaN for the two sellers at the first and the last position.
    """
    added = np.full(permutations.shape, np.nan)
    np.put_along_axis(added, permutations[:, 1:-1], -np.diff(prefix_distances, axis=1), axis=1)
    # The rows are in turn a permutation and its reverse.
    pairs: Floats = added.reshape(-1, 2, permutations.shape[1]).mean(axis=1)
    return pairs


def _slope(added: Floats, predicted: Floats) -> float:
    """Return the slope of a line fitted to the gains `added` over the gains `predicted`.

    If no seller's predicted gains vary, return 0.
    """
    # Each seller's mean is subtracted first. NaN is left out.
    known = ~np.isnan(added)
    counts = np.maximum(known.sum(axis=0), 1)

    def centred(samples: Floats) -> Floats:
        filled = np.where(known, samples, 0.0)
        return np.where(known, filled - filled.sum(axis=0) / counts, 0.0)

    varies = centred(predicted)
    squares = float(np.square(varies).sum())
    return float((varies * centred(added)).sum()) / squares if squares > 0 else 0.0


def _mean_and_error(samples: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return each seller's number of samples, mean, and standard error of the mean.

    `samples` has a column for each seller; NaN is no sample.
    """
    known = ~np.isnan(samples)
    counts: NDArray[np.intp] = known.sum(axis=0)
    mean = np.where(known, samples, 0.0).sum(axis=0) / np.maximum(counts, 1)
    squares = np.where(known, np.square(samples - mean), 0.0).sum(axis=0)
    unknown = np.full(len(mean), np.inf)
    error = np.sqrt(np.divide(squares, counts * (counts - 1.0), out=unknown, where=counts > 1))
    return counts, mean, error


def _prefixes(
    contribution_ids: tuple[str, ...], permutation: NDArray[np.intp]
) -> Iterator[frozenset[str]]:
    """Yield a permutation's first seller, its first two, and so on, up to all but the last."""
    coalition: frozenset[str] = frozenset()
    for index in permutation[:-1]:
        coalition |= {contribution_ids[index]}
        yield coalition
