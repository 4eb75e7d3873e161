"""Detect noisy training points: scores of pushed measures against methods on raw data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score

from benchmarks.paper import peers
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.peers import Labels
from benchmarks.paper.report import Row
from benchmarks.paper.systems import normal
from wassay.transport import Measure, project

TITLE = "Noisy points, and wrong labels"
ABOUT = """
15 % of the training points get noise N(0, 1) in every feature (CIFAR-10 pixels in [−1, 1],
Adult's six numbers as standard scores). There are 1,000 training and 300 validation points; the
table has means over three seeds: AUROC of each method's values, and F1 when as many points are
inspected as are noisy. The paper shows curves without numbers. TriangleWad has t = 1/2 and k =
20, with σ(γ) = 100 for images, the paper's hardest case, and σ(γ) = 1 for Adult; Wassay has one
reference point. The peers see raw data (32 principal components for influence functions and trees
on images): k-NN Shapley and leave-one-out of the same 5-NN classifier, influence functions of a
logistic regression, Data-OOB with 200 trees, and LAVA with labels.

On images the points inspected first are the noisy ones, as in the paper. Its statement that the
first 10 % contain all of the noisy 15 % we read as: all of the first 10 % are noisy. Of the
peers, the four that judge by a classifier are near chance there, and LAVA is perfect (its line
coincides with Wassay's). On Adult one reference point preserves what a reference of twenty blurs:
TriangleWad's F1 is 0.33 there (by chance it would be 0.15), and its AUROC that of k-NN Shapley,
0.69, where the paper has it outperform the best. The last block instead flips 20 % of Adult's
labels. Scores that see no labels cannot find those, and are no better than chance (0.515 and
0.497); the peers, who see them, are. LAVA is the score of OTDD's cost, which a labelled request
has too. The peers are written here from their papers, because the released pyDVL 0.10 needs numpy
below 2, and tested against their definitions. Scores of labels, which Wassay has as well, are in
the next section.
"""

TRAINING, VALIDATION = 1000, 300


def run(inputs: Inputs) -> list[Row]:
    """Score points with noisy features in two data sets, and with flipped labels in one."""
    seeds = range(1 if inputs.quick else 3)
    rows: list[Row] = []
    figure = Figure(figsize=(10, 4), layout="constrained")
    panels = figure.subplots(1, 3)
    cases = (("CIFAR10", 0.15, "features"), ("Adult", 0.15, "features"), ("Adult", 0.2, "labels"))
    for (data, share, kind), panel in zip(cases, panels, strict=True):
        x, y = inputs.labelled_images(data) if data == "CIFAR10" else inputs.adult()
        found: dict[str, list[tuple[float, float]]] = {}
        for seed in seeds:
            noisy, values = _case(x, y, share, kind, seed, 200 if inputs.quick else TRAINING)
            for method, value in values.items():
                found.setdefault(method, []).append(quality(value, noisy))
                if seed == 0:
                    hits = np.cumsum(noisy[np.argsort(value, kind="stable")]) / noisy.sum()
                    panel.plot(np.arange(1, len(hits) + 1) / len(hits), hits, label=method)
        panel.set_title(f"{data}, {share:.0%} noisy {kind}", fontsize=9)
        panel.set_xlabel("share inspected")
        for method, qualities in found.items():
            auroc, f1 = np.mean(qualities, axis=0).tolist()
            row = {"data": data, "noise": f"{share:.0%} of {kind}", "method": method}
            rows.append(row | {"AUROC": auroc, "F1": f1})
    panels[0].set_ylabel("share of the noisy found")
    panels[0].legend(fontsize=7)
    figure.savefig(inputs.out / "noisy_points.png", dpi=90)
    return rows


def _case(
    x: Points, y: Labels, share: float, kind: str, seed: int, training: int
) -> tuple[Labels, dict[str, Points]]:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(x))[: training + VALIDATION]
    train, labels = x[order[:training]].copy(), y[order[:training]].copy()
    test, truth = x[order[training:]], y[order[training:]]
    noisy = np.zeros(training, dtype=np.int64)
    noisy[rng.choice(training, int(share * training), replace=False)] = 1
    marked = noisy == 1
    if kind == "features":
        train[marked] += rng.normal(size=(int(noisy.sum()), x.shape[1]))
    else:
        labels[marked] = 1 - labels[marked]
    small, small_test = train, test
    if x.shape[1] > 64:
        components = PCA(32, random_state=0).fit(train)
        small, small_test = components.transform(train), components.transform(test)
    std = 100.0 if x.shape[1] > 64 else 1.0
    methods: dict[str, Callable[[], Points]] = {
        "TriangleWad": lambda: _pushed(train, test, normal(rng, 20, x.shape[1], std=std)),
        "Wassay": lambda: _pushed(train, test, normal(rng, 1, x.shape[1])),
        "k-NN Shapley": lambda: peers.nearest_neighbour_shapley(train, labels, test, truth),
        "leave one out": lambda: peers.leave_one_out(train, labels, test, truth),
        "influence": lambda: peers.influence(small, labels, small_test, truth),
        "Data-OOB": lambda: peers.out_of_bag(small, labels, seed=seed),
        "LAVA": lambda: peers.lava(train, labels, test, truth),
    }
    return noisy, {method: score() for method, score in methods.items()}


def _pushed(train: Points, test: Points, reference: Measure) -> Points:
    sides = [project(Measure(points), reference).interpolate(0.5) for points in (train, test)]
    return peers.ours(*sides)


def quality(values: Points, noisy: Labels) -> tuple[float, float]:
    """Return the AUROC of low values as a sign of noise, and the F1 score of the lowest values.

    There are as many lowest values as noisy points.
    """
    count = int(noisy.sum())
    f1 = float(noisy[np.argsort(values, kind="stable")[:count]].mean())
    return float(roc_auc_score(noisy, -values)), f1
