"""Scores of a seller's points, for buyer measures of the attacker's choice, are the points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.cost_blocks import trilaterate
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure

ScoreAnswer = tuple[float, NDArray[np.float64]]


def reconstruct_from_scores(
    ask: Callable[[Measure], ScoreAnswer], weights: ArrayLike, dimension: int
) -> Reconstruction:
    """Reconstruct all points of a measure with d + 1 questions.

    Against a single atom q the potential of point a is its cost ‖y_a − q‖², so its score is that
    cost less the mean of the others', and W_2² is the weighted mean. Both together are the squared
    distances of all points to q, and d + 1 such atoms are enough to trilaterate.

    Parameters
    ----------
    ask : callable
        For a buyer measure: W_2² and the scores of the seller's points, shape (n,).
    weights : array_like, shape (n,)
        Of the seller's points.
    dimension : int
        d.
    """
    masses = np.asarray(weights, dtype=np.float64)
    atoms = np.concatenate([np.zeros((1, dimension)), np.eye(dimension)])
    columns = []
    for atom in atoms:
        cost, scores = ask(Measure(atom[None, :]))
        from_mean = scores * (len(masses) - 1) / len(masses)
        columns.append(cost + from_mean - masses @ from_mean)
    found = trilaterate(np.stack(columns, axis=1), atoms)
    return replace(found, method="scores against chosen atoms", queries=len(atoms))
