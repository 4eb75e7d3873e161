"""Adapt to a domain by picking the nearest source, without labels of the domain."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, rotate, shift, zoom
from scipy.stats import spearmanr
from sklearn.linear_model import LogisticRegression

from benchmarks.paper.bars import Bars
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.intervals import with_interval
from benchmarks.paper.report import Row
from benchmarks.paper.systems import sealed
from wassay.recipes import Recipe
from wassay.transport import Isometry, Measure, Nearness, judge, resample, scale_hiding

TITLE = "Domain adaptation by picking sources"
ABOUT = """
The paper names domain adaptation as a use, and shows no experiment. MNIST averaged to 14 × 14
pixels; eight sources of 400 labelled digits, each treated in its way: as they are, turned by ±25°,
inverted, blurred, shifted by two pixels, noisy, small. A target has 200 digits without labels, of
a domain that no source has exactly, and 400 to test on. Logistic regression is trained on the
*nearest* source by distance, on each of the others, and on all sources *pooled*; *best* is the
source that would have been best. Accuracies are means over ten draws; *gain* is nearest minus the
mean source, *over pooled* nearest minus pooled, with Student's intervals.

The nearest source is far better than a random one (12 to 63 points) for all targets that are like
one of them, and the best for four of six. It is no rule: for digits turned by 15°, pooling is 8
points better, and picking misses the best source by 9; for those shifted by one pixel pooling is 2
points better. Nearer sources are more accurate by rank, with a correlation of 0.5 to 0.7 over the
eight.

For digits turned by 90°, which are like no source, the nearest is hardly better than a random
one. Wassay warns, but of the useful sources too. Its verdict calls the nearest source *different*
from the target in every draw, for all six targets. The size of the difference, as a multiple of
what chance gives (*difference : floor*), is the largest for digits turned by 90° (0.58), but
hardly larger than for those shifted by one pixel (0.55), whose nearest source is the best one. A
recipe that is fitted on the target's 196 pixels, as `wassay check` compares it with the rows of
the nearest source, lists 78 differences (*differences listed*), and 82 for the shifted ones.
Whether a source predicts well only labels of the target can tell.
"""
PICTURE = Bars(("target",), ("nearest", "random", "pooled", "best", "farthest"), "accuracy %")

SIDE = 14
SWEEP, T0 = (0.25, 0.5, 0.75), 0.4
SOURCE, NEEDED, TEST, SEEDS = 400, 200, 400, 10

Images = Points
Domain = Callable[[Images, np.random.Generator], Images]


def _turned(angle: float) -> Domain:
    def turned(images: Images, _: np.random.Generator) -> Images:
        return np.asarray(
            rotate(images, angle, axes=(1, 2), reshape=False, order=1, mode="nearest")
        )

    return turned


def _small(images: Images, _: np.random.Generator) -> Images:
    smaller = zoom(images, (1, 5 / 7, 5 / 7), order=1)
    edge = (SIDE - smaller.shape[1]) // 2
    return np.pad(smaller, ((0, 0), (edge, edge), (edge, edge)), constant_values=-1.0)


def _noisy(images: Images, rng: np.random.Generator) -> Images:
    return images + 0.7 * rng.normal(size=images.shape)


DOMAINS: dict[str, Domain] = {
    "as they are": lambda images, _: images,
    "turned by 25°": _turned(25),
    "turned by −25°": _turned(-25),
    "inverted": lambda images, _: -images,
    "blurred": lambda images, _: np.asarray(gaussian_filter(images, (0, 1.2, 1.2))),
    "shifted": lambda images, _: np.asarray(shift(images, (0, 2, 2), order=0, cval=-1.0)),
    "noisy": _noisy,
    "small": _small,
}
"""The domains of the sources. The targets are variations, of which none equals a source."""

TARGETS: dict[str, Domain] = {
    "turned by 15°": _turned(15),
    "turned by −35°": _turned(-35),
    "inverted, blurred": lambda images, _: np.asarray(-gaussian_filter(images, (0, 0.7, 0.7))),
    "shifted by one": lambda images, _: np.asarray(shift(images, (0, 1, 1), order=0, cval=-1.0)),
    "noisier": lambda images, rng: images + 1.2 * rng.normal(size=images.shape),
    "turned by 90°": _turned(90),
}
"""The domains in which the model is used."""


def run(inputs: Inputs) -> list[Row]:
    """Train on every source, and use the models in every target."""
    images, labels = inputs.labelled_images("MNIST")
    small = images.reshape(-1, SIDE, 2, SIDE, 2).mean(axis=(2, 4))
    found: dict[str, list[dict[str, float]]] = {}
    for seed in range(1 if inputs.quick else SEEDS):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(small))
        parts = np.split(order[: SOURCE * len(DOMAINS)], len(DOMAINS))
        rest = order[SOURCE * len(DOMAINS) :]
        offered = [
            _rows(domain(small[part], rng))
            for domain, part in zip(DOMAINS.values(), parts, strict=True)
        ]
        models = [_trained(x, labels[part]) for x, part in zip(offered, parts, strict=True)]
        pooled = _trained(np.concatenate(offered), labels[np.concatenate(parts)])
        for target, domain in TARGETS.items():
            points = _rows(domain(small[rest[: NEEDED + TEST]], rng))
            needed, test, truth = points[:NEEDED], points[NEEDED:], labels[rest[NEEDED:][:TEST]]
            accuracies = np.array([100 * model.score(test, truth) for model in models])
            distances = _distances(Measure(needed), [Measure(x) for x in offered])
            nearest = offered[distances.argmin()]
            nearness = _nearness(needed, nearest, seed)
            differences = Recipe.fit(_columns(needed)).compare(_columns(nearest))
            found.setdefault(target, []).append(
                {
                    "nearest": accuracies[distances.argmin()],
                    "random": accuracies.mean(),
                    "pooled": 100 * pooled.score(test, truth),
                    "best": accuracies.max(),
                    "farthest": accuracies[distances.argmax()],
                    "rank correlation": spearmanr(-distances, accuracies).statistic,
                    "different %": 100.0 * (nearness.verdict == "different"),
                    "difference : floor": nearness.difference / nearness.floor,
                    "differences listed": float(len(differences)),
                }
            )
    rows: list[Row] = []
    for target, runs in found.items():
        means = {key: float(np.mean([each[key] for each in runs])) for key in runs[0]}
        over_random = with_interval("gain", [each["nearest"] - each["random"] for each in runs])
        over_pooled = with_interval(
            "over pooled", [each["nearest"] - each["pooled"] for each in runs]
        )
        rows.append({"target": target, **means, **over_random, **over_pooled})
    return rows


def _rows(images: Images) -> Points:
    return images.reshape(len(images), -1)


def _columns(points: Points) -> dict[str, Points]:
    return {f"pixel {number}": column for number, column in enumerate(points.T)}


def _nearness(needed: Points, offered: Points, seed: int) -> Nearness:
    """Judge, as results do, whether a source's rows could be a sample of the target."""
    swept = {s: Measure((1 - s) * offered) for s in SWEEP}
    resampled = resample(Measure((1 - T0) * needed), swept, seed)
    if resampled is None:
        raise ValueError("expected enough rows for parts, received too few")
    return judge(resampled, SWEEP, T0)


def _trained(x: Points, y: NDArray[np.int64]) -> LogisticRegression:
    return LogisticRegression(C=0.01, max_iter=300).fit(x, y)


def _distances(needed: Measure, offered: list[Measure]) -> Points:
    isometry = Isometry.draw(needed.dimension, scale_hiding(needed))
    return np.array([sealed(needed, each, isometry) for each in offered])
