"""Measure what a random projection costs in accuracy, and what it hides from whom.

`python -m benchmarks.trust.projection [PICTURE]` prints both for each number of dimensions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits

from wassay.audit import BuyerMeasure, Exposure, audit
from wassay.reference_key import ReferenceKey
from wassay.transport import (
    Measure,
    Normal,
    ProjectionScaling,
    RandomProjection,
    Reference,
    project,
    scale_hiding,
    wasserstein,
)

BUYER_POINTS, SELLER_POINTS, AUDITED = 80, 100, 300
DRAWS = 8
DIMENSIONS = (2, 4, 8, 16, 32)

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Finding:
    """The cost and the gain of a projection to `reduced` dimensions."""

    reduced: int
    bound: float
    """The mean of the lower bound, as a share of the raw distance."""
    error: float
    """The mean error of the estimate, as a share of the raw distance."""
    held: float
    """The share of the ranges that contain the raw distance."""
    key: tuple[float, int]
    """What someone with the key reads: a share of the variance, and a number of columns."""
    service: tuple[float, int]
    """What the service reads: a share of the variance, and a number of columns."""


def digits() -> Points:
    return np.asarray(load_digits().data / 16)


def round_cloud() -> Points:
    return np.random.default_rng(3).normal(size=(1797, 64))


def cells() -> Points:
    table = load_breast_cancer().data
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


DATA: dict[str, Callable[[], Points]] = {
    "round cloud": round_cloud,
    "digits": digits,
    "breast cancer": cells,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trust.projection")
    parser.add_argument("picture", type=Path, nargs="?")
    arguments = parser.parse_args()
    found = {name: measured(name, load()) for name, load in DATA.items()}
    if arguments.picture is not None:
        draw(found, arguments.picture)


def measured(name: str, points: Points) -> list[Finding]:
    dimension = points.shape[1]
    print(f"\n{name}, d = {dimension}")
    print(
        f"{'r':>4}{'bound':>8}{'error':>8}{'held':>7}"
        f"{'key: variance':>16}{'columns':>9}{'service: variance':>20}{'columns':>9}"
    )
    findings = []
    for reduced in (r for r in DIMENSIONS if r < dimension):
        each = finding(points, reduced)
        findings.append(each)
        print(
            f"{reduced:>4}{each.bound:>8.2f}{each.error:>8.1%}{each.held:>7.0%}"
            f"{each.key[0]:>16.0%}{each.key[1]:>9}{each.service[0]:>20.0%}{each.service[1]:>9}",
            flush=True,
        )
    return findings


def finding(points: Points, reduced: int) -> Finding:
    random = np.random.default_rng(7)
    bounds, errors, held = [], [], []
    for _ in range(DRAWS):
        shuffled = random.permutation(points)
        buyer = shuffled[:BUYER_POINTS]
        scaling = ProjectionScaling.calibrate(Measure(buyer), reduced)
        for seller in sellers(shuffled[BUYER_POINTS:]):
            projection = RandomProjection(points.shape[1], reduced, random.bytes(32))
            raw = wasserstein(Measure(buyer), Measure(seller)).value
            projected = wasserstein(
                projection.apply(Measure(buyer)), projection.apply(Measure(seller))
            ).value
            scaled = scaling.scaled(projected)
            assert scaled.interval is not None
            bounds.append(projected / raw)
            errors.append(abs(scaled.value / raw - 1))
            held.append(scaled.interval[0] <= raw <= scaled.interval[1])
    service, key = exposures(random.permutation(points)[:AUDITED], reduced)
    return Finding(
        reduced,
        float(np.mean(bounds)),
        float(np.mean(errors)),
        float(np.mean(held)),
        (explained(key), len(key.predicted.read)),
        (explained(service), len(service.columns.read)),
    )


def sellers(rest: Points) -> list[Points]:
    """Return points like the buyer's, the same points blurred, and the same with half mirrored."""
    like = rest[:SELLER_POINTS]
    spread = rest.std()
    blurred = like + spread * np.random.default_rng(1).normal(size=like.shape)
    mirrored = like.copy()
    mirrored[::2] = 2 * rest.max(axis=0) - like[::2] if rest.min() < 0 else rest.max() - like[::2]
    return [like, blurred, mirrored]


def exposures(records: Points, reduced: int) -> tuple[Exposure, Exposure]:
    """Audit a buyer's measure that sellers with the key may download; return the two exposures."""
    projection = RandomProjection(records.shape[1], reduced, bytes(range(32)))
    projected = projection.apply(Measure(records))
    reference = Reference(1, reduced, Normal(), seed=11)
    key = ReferenceKey.draw(reference, scale_hiding(projected), projection)
    pushed = key.conceal(project(projected, reference.measure()).interpolate(0.4))
    found = audit(
        records,
        BuyerMeasure(pushed, shown_to_sellers=True),
        reference,
        isometry=key.conceal,
        projection=projection,
    )
    return found.exposures[0], found.exposures[1]


def explained(exposure: Exposure) -> float:
    """Return the share of the records' variance that is reconstructed."""
    assert exposure.relative_error is not None
    return max(0.0, 1 - exposure.relative_error**2)


def draw(found: dict[str, list[Finding]], path: Path) -> None:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "wassay"}
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for place, (name, findings) in enumerate(found.items()):
        for who, marker in (("key", "o-"), ("service", "x:")):
            shares = [100 * getattr(each, who)[0] for each in findings]
            errors = [100 * each.error for each in findings]
            label = "holds the key" if who == "key" else "the service, 20 known records"
            axes.plot(shares, errors, marker, color=f"C{place}", label=f"{name}, {label}")
            if who == "key":
                for each, share, error in zip(findings, shares, errors, strict=True):
                    axes.annotate(
                        f"r = {each.reduced}",
                        (share, error),
                        (4, 4),
                        textcoords="offset points",
                        fontsize="x-small",
                        color=f"C{place}",
                    )
    axes.set_xlabel("variance of the raw records that is reconstructed, %")
    axes.set_ylabel("error of the scaled distance, %")
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="x-small")
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
