"""Train a federated model without the clients that are far from the server's points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from benchmarks.paper.bars import Bars
from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.intervals import with_interval
from benchmarks.paper.report import Row
from benchmarks.paper.scoring import with_constant
from benchmarks.paper.systems import sealed
from wassay.transport import Isometry, Measure, in_distribution, scale_hiding

TITLE = "Federated learning without far clients"
ABOUT = """
The paper says that distances can filter out-of-distribution clients and "ultimately improve FL
model performance", and shows no such experiment. Ten clients with 100 of scikit-learn's digits
each, softmax regression, twenty rounds of federated averaging; the server has 200 digits without
labels, and leaves out clients whose distance to them is an outlier among the ten (the rule of
`Evaluation.outliers`). Three clients are bad: their pixels are *inverted*, have *noise* of N(0,
1), their labels are *wrong*, they have *two classes each*, or *only they* have the eights and
nines. Accuracies are means over 20 draws; *gain* is filtered minus all, with Student's interval.
*Random* leaves out as many clients at random.

It helps where clients' pixels are unlike the server's: 4.7 points for inverted digits and 0.9 for
noise, and it finds exactly the three. Wrong labels it does not see. It does harm where clients
differ by their classes: these are the farthest, and the model misses what only they have, 0.8
points where others have the classes too, and 10.9 where nobody else has. A far client is not a
bad one, and the distance cannot tell which it is.
"""
PICTURE = Bars(("case",), ("all", "filtered", "random", "only the good"), "accuracy %")

CLIENTS, BAD, EACH, NEEDED, AVERAGINGS = 10, 3, 100, 200, 20
SEEDS = 20

Labels = NDArray[np.int64]
Harm = Callable[[np.random.Generator, Points, Labels], tuple[Points, Labels]]


def _unchanged(_: np.random.Generator, x: Points, y: Labels) -> tuple[Points, Labels]:
    return x, y


def _inverted(_: np.random.Generator, x: Points, y: Labels) -> tuple[Points, Labels]:
    return 1 - x, y


def _noisy(rng: np.random.Generator, x: Points, y: Labels) -> tuple[Points, Labels]:
    return x + rng.normal(size=x.shape), y


def _relabelled(rng: np.random.Generator, x: Points, y: Labels) -> tuple[Points, Labels]:
    return x, rng.integers(0, 10, len(y))


CASES: dict[str, Harm] = {
    "alike": _unchanged,
    "inverted": _inverted,
    "noise": _noisy,
    "wrong labels": _relabelled,
    "two classes each": _unchanged,
    "only they have 8 and 9": _unchanged,
}
"""The changes to the points of the bad clients; in the last two cases they have other classes."""


def run(inputs: Inputs) -> list[Row]:
    """Train a model with the far clients and one without them, in every case."""
    seeds = range(2 if inputs.quick else SEEDS)
    return [_row(case, [_drawn(case, seed) for seed in seeds]) for case in CASES]


def _row(case: str, runs: list[dict[str, float]]) -> Row:
    means = {key: float(np.mean([each[key] for each in runs])) for key in runs[0]}
    gains = [each["filtered"] - each["all"] for each in runs]
    return {"case": case, **means, **with_interval("gain", gains)}


def _drawn(case: str, seed: int) -> dict[str, float]:
    x, y = load_digits(return_X_y=True)
    x, y = x / 16, y.astype(np.int64)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(x))
    needed, test, rest = np.split(order, [NEEDED, len(x) - CLIENTS * EACH])
    parts = _divided(case, rng, y, rest)
    clients = [(x[part], y[part]) for part in parts]
    clients[:BAD] = [CASES[case](rng, *client) for client in clients[:BAD]]
    federation = Federation(
        [(with_constant(points), np.eye(10)[labels]) for points, labels in clients],
        (with_constant(x[test]), y[test]),
        averagings=AVERAGINGS,
    )
    target = Measure(x[needed])
    isometry = Isometry.draw(target.dimension, scale_hiding(target))
    distances = [sealed(target, Measure(points), isometry) for points, _ in clients]
    near = np.flatnonzero(in_distribution(distances))
    chosen = rng.permutation(CLIENTS)[: len(near)]
    good = range(0 if case == "alike" else BAD, CLIENTS)
    return {
        "all": 100 * federation.trained(range(CLIENTS)),
        "filtered": 100 * federation.trained(near.tolist()),
        "random": 100 * federation.trained(chosen.tolist()),
        "only the good": 100 * federation.trained(good),
        "left out": float(CLIENTS - len(near)),
        "of the bad": 0.0 if case == "alike" else float(BAD - (near < BAD).sum()),
    }


def _divided(
    case: str, rng: np.random.Generator, y: Labels, rest: NDArray[np.intp]
) -> list[NDArray[np.intp]]:
    """Distribute points among clients; in the last two cases, bad clients get certain classes."""
    if case == "only they have 8 and 9":
        rare = y[rest] >= 8
        return [*np.array_split(rest[rare], BAD), *np.array_split(rest[~rare], CLIENTS - BAD)]
    if case != "two classes each":
        return np.split(rest, CLIENTS)
    kinds = rng.permutation(10)[: 2 * BAD].reshape(BAD, 2)
    few = [rest[np.isin(y[rest], kind)][:EACH] for kind in kinds]
    others = np.setdiff1d(rest, np.concatenate(few), assume_unique=True)
    return [*few, *np.array_split(rng.permutation(others), CLIENTS - BAD)]
