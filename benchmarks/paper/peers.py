"""Published scores of training points, each implemented from its paper; high means valuable."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from benchmarks.paper.inputs import Points
from wassay.transport import (
    Classes,
    Measure,
    Solution,
    cost_block,
    labelled_cost,
    scores,
    solve,
)

Labels: TypeAlias = NDArray[np.int64]
NEIGHBOURS = 5


def nearest_neighbour_shapley(x: Points, y: Labels, test: Points, truth: Labels) -> Points:
    """Exact Shapley values of a k-nearest-neighbour classifier (Jia et al. 2019, theorem 1)."""
    k, n = NEIGHBOURS, len(x)
    order = np.argsort(cost_block(test, x), axis=1)
    right = (y[order] == truth[:, None]).astype(np.float64)
    values = np.empty_like(right)
    values[:, -1] = right[:, -1] / n
    for i in range(n - 2, -1, -1):
        change = (right[:, i] - right[:, i + 1]) / k * min(k, i + 1) / (i + 1)
        values[:, i] = values[:, i + 1] + change
    mean = np.zeros(n)
    np.add.at(mean, order, values / len(test))
    return mean


def leave_one_out(x: Points, y: Labels, test: Points, truth: Labels) -> Points:
    """Accuracy that a nearest-neighbour classifier loses without a point."""
    order = np.argsort(cost_block(test, x), axis=1)[:, : NEIGHBOURS + 1]
    right = (y[order] == truth[:, None]).astype(np.float64)
    lost = (right[:, :-1] - right[:, -1:]) / NEIGHBOURS
    values = np.zeros(len(x))
    np.add.at(values, order[:, :-1], lost / len(test))
    return values


def influence(x: Points, y: Labels, test: Points, truth: Labels) -> Points:
    """Influence on the test loss of a logistic regression (Koh & Liang 2017), by its Hessian."""
    model = LogisticRegression(C=1.0, max_iter=2000).fit(x, y)
    gradients, hessian = _gradients(model, x, y)
    test_gradients, _ = _gradients(model, test, truth)
    step = np.linalg.solve(hessian + np.eye(len(hessian)) / len(x), test_gradients.mean(axis=0))
    return np.asarray(gradients @ step, dtype=np.float64)


def _gradients(model: LogisticRegression, x: Points, y: Labels) -> tuple[Points, Points]:
    """Return the gradient of each point's loss by the weights, and the mean Hessian of the loss."""
    inputs = np.hstack([x, np.ones((len(x), 1))])
    chances = model.predict_proba(x)
    errors = chances - (y[:, None] == model.classes_)
    gradients = (errors[:, :, None] * inputs[:, None, :]).reshape(len(x), -1)
    curvature = np.einsum("nc,cd->ncd", chances, np.eye(chances.shape[1]))
    curvature -= chances[:, :, None] * chances[:, None, :]
    size = gradients.shape[1]
    hessian = np.einsum("ncd,ni,nj->cidj", curvature, inputs, inputs, optimize=True)
    return gradients, hessian.reshape(size, size) / len(x)


def out_of_bag(x: Points, y: Labels, *, trees: int = 200, seed: int = 0) -> Points:
    """Data-OOB (Kwon & Zou 2023): on each point, the accuracy of the trees trained without it."""
    rng = np.random.default_rng(seed)
    right, seen = np.zeros(len(x)), np.zeros(len(x))
    for _ in range(trees):
        bag = rng.integers(len(x), size=len(x))
        out = np.setdiff1d(np.arange(len(x)), bag)
        tree = DecisionTreeClassifier(random_state=int(rng.integers(2**31)))
        right[out] += tree.fit(x[bag], y[bag]).predict(x[out]) == y[out]
        seen[out] += 1
    return right / np.maximum(seen, 1)


def lava(x: Points, y: Labels, test: Points, truth: Labels) -> Points:
    """LAVA (Just et al. 2023): minus the calibrated gradient of OTDD by a point's weight."""
    cost, solution = _otdd(x, y, test, truth)
    return -scores(cost, solution)[0].values


def otdd(x: Points, y: Labels, test: Points, truth: Labels) -> Points:
    """Minus the mean cost at which OTDD (Alvarez-Melis & Fusi 2020) moves a point."""
    cost, solution = _otdd(x, y, test, truth)
    paid = solution.mass * cost[solution.rows, solution.columns]
    return np.asarray(-len(x) * np.bincount(solution.rows, paid, len(x)), dtype=np.float64)


def _otdd(x: Points, y: Labels, test: Points, truth: Labels) -> tuple[Points, Solution]:
    offered, needed = Measure(x), Measure(test)
    cost = labelled_cost(offered, Classes.of(offered, y), needed, Classes.of(needed, truth))
    return cost, solve(cost, offered.weights, needed.weights)


def ours(pushed: Measure, buyer: Measure) -> Points:
    """Minus Wassay's score of each point, computed from pushed measures."""
    cost = cost_block(pushed.points, buyer.points)
    return -scores(cost, solve(cost, pushed.weights, buyer.weights))[0].values
