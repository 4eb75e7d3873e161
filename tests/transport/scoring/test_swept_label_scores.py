"""Scores of labels over a sweep: at t0 they are those of the raw points."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine
from sklearn.metrics import roc_auc_score

from wassay.transport import (
    Isometry,
    Measure,
    Normal,
    Reference,
    TransportError,
    label_scores,
    project,
    scale_hiding,
    swept_label_scores,
)
from wassay.transport.scoring.discriminants import discriminants
from wassay.transport.scoring.swept_label_scores import discriminants_weight

SWEEP = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Labelled:
    needed: Measure
    theirs: NDArray[np.intp]
    offered: Measure
    own: NDArray[np.intp]

    def pushed(
        self, t0: float, scale: float, seed: int = 1
    ) -> tuple[Measure, Mapping[float, Measure]]:
        reference = Reference(1, self.needed.dimension, Normal(0.0, scale), seed=seed).measure()
        isometry = Isometry.draw(self.needed.dimension, scale_hiding(self.needed))
        buyer, seller = project(self.needed, reference), project(self.offered, reference)
        return (
            isometry.apply(buyer.interpolate(t0)),
            {s: isometry.apply(seller.interpolate(s)) for s in SWEEP},
        )

    def raw_scores(self) -> NDArray[np.float64]:
        plain = label_scores(self.needed, self.theirs, self.offered, self.own)
        along, gains = np.zeros(len(self.own)), np.zeros(self.needed.size)
        everything = self.predicted(self.needed.points, self.offered.points, self.theirs)
        for found in discriminants(self.needed, self.theirs):
            quarter = self.needed.points[found.rows] @ found.directions
            offered = self.offered.points @ found.directions
            kinds = self.theirs[found.rows]
            part = label_scores(Measure(quarter), kinds, Measure(offered), self.own)
            along += len(found.rows) / self.needed.size * part
            gains[found.rows] = self.predicted(quarter, offered, kinds) - everything[found.rows]
        gain = np.clip(gains.mean() / (gains.std() / np.sqrt(len(gains))), -1.0, 1.0)
        return np.asarray((0.5 - 0.25 * gain) * plain + (0.5 + 0.25 * gain) * along)

    def predicted(
        self, needed: NDArray[np.float64], offered: NDArray[np.float64], kinds: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return the share of each point's five nearest offered points that have its label."""
        nearest = np.argsort(cdist(needed, offered), axis=1)[:, :5]
        return np.asarray((self.own[nearest] == kinds[:, None]).mean(axis=1))

    def same_mean(self) -> "Labelled":
        """Move the seller's points, so that the means of both sides are nearest at s = t0."""
        moved = Measure(self.offered.points - self.offered.mean + self.needed.mean)
        return Labelled(self.needed, self.theirs, moved, self.own)


def labelled(shift: float = 0.0) -> Labelled:
    random = np.random.default_rng(0)
    theirs, own = random.integers(3, size=80), random.integers(3, size=120)
    centres = random.normal(scale=2.0, size=(3, 6))
    needed = centres[theirs] + random.normal(size=(80, 6))
    offered = centres[own] + random.normal(size=(120, 6)) + shift
    own[:12] = (own[:12] + 1) % 3
    return Labelled(Measure(needed), theirs, Measure(offered), own)


def test_sealed_points_pushed_to_three_s_give_the_scores_of_raw_points_at_t0() -> None:
    data = labelled().same_mean()
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.37, 8.0)))
    assert swept.nearest == pytest.approx(0.37, abs=1e-9)
    np.testing.assert_allclose(swept.by_s[swept.nearest], data.raw_scores(), atol=1e-9)


def test_a_direction_that_others_hide_is_found_again() -> None:
    random = np.random.default_rng(1)
    classes = random.integers(2, size=(2, 150))
    points = random.normal(size=(2, 150, 30))  # 29 of 30 coordinates do not depend on the class
    points[..., 0] = 1.2 * classes + 0.2 * points[..., 0]
    own = classes[1].copy()
    own[:15] = 1 - own[:15]
    data = Labelled(Measure(points[0]), classes[0], Measure(points[1]), own).same_mean()
    plain = label_scores(data.needed, data.theirs, data.offered, own)
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.37, 8.0)))
    wrong = np.arange(150) < 15
    assert roc_auc_score(wrong, plain) < 0.9
    assert roc_auc_score(wrong, swept.by_s[swept.nearest]) > 0.98


def test_all_coordinates_weigh_most_where_no_direction_tells_classes_apart() -> None:
    random = np.random.default_rng(2)
    points = random.normal(size=(2, 100, 2))
    classes = (np.linalg.norm(points, axis=2) > 1.2).astype(np.intp)
    own = classes[1].copy()
    own[:10] = 1 - own[:10]
    data = Labelled(Measure(points[0]), classes[0], Measure(points[1]), own).same_mean()
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.37, 8.0)))
    plain = label_scores(data.needed, data.theirs, data.offered, data.own)
    wrong = np.arange(100) < 10
    found = swept.by_s[swept.nearest]
    assert np.corrcoef(found, plain)[0, 1] > 0.9
    assert roc_auc_score(wrong, found) > roc_auc_score(wrong, plain) - 0.03


@pytest.mark.parametrize("seed", range(8))
def test_scores_of_wines_hardly_depend_on_the_reference(seed: int) -> None:
    """Coordinates and discriminants predict equally well here, so chance could choose."""
    points, kinds = load_wine(return_X_y=True)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    random = np.random.default_rng(1)
    rows = random.permutation(len(points))
    buyer, seller = rows[:60], rows[60:]
    own = kinds[seller].copy()
    wrong = random.choice(len(own), len(own) // 10, replace=False)
    own[wrong] = (own[wrong] + 1) % 3
    data = Labelled(Measure(points[buyer]), kinds[buyer], Measure(points[seller]), own)
    found = swept_label_scores(*_arguments(data, *data.pushed(0.37, 1.0, seed)))
    near = min(found.by_s, key=lambda s: abs(s - 0.37))
    assert np.corrcoef(found.by_s[near], data.raw_scores())[0, 1] > 0.95


@pytest.mark.parametrize(
    ("gains", "weight"),
    [
        ([0.2, 0.2, 0.2], 0.75),
        ([-0.2, -0.2, -0.2], 0.25),
        ([0.0, 0.0, 0.0], 0.5),
        ([0.4, -0.4, np.nan], 0.5),
        ([0.6, 0.0, 0.0], 0.75),
        ([0.3, -0.1, -0.1], 0.5 + 0.25 * np.sqrt(6.0) / 8.0),
        ([np.nan, np.nan, np.nan], 0.5),
    ],
)
def test_discriminants_weigh_by_how_many_standard_errors_better_they_predict(
    gains: list[float], weight: float
) -> None:
    plain = np.full(3, 0.4)
    found = discriminants_weight(plain, plain + gains, np.ones(3))
    assert found == pytest.approx(weight, abs=1e-12)


@pytest.mark.parametrize("scale", [0.1, 8.0, 500.0])
def test_between_its_values_scores_change_little_wherever_the_reference_is(scale: float) -> None:
    data = labelled(shift=0.1)
    for t0 in (0.3, 0.52, 0.7):
        swept = swept_label_scores(*_arguments(data, *data.pushed(t0, scale)))
        sweep = np.array(list(swept.by_s))
        after = int(np.searchsorted(sweep, t0))
        low, high = (-np.log1p(-sweep[each]) for each in (after - 1, after))
        share = (-np.log1p(-t0) - low) / (high - low)
        below, above = (swept.by_s[sweep[each]] for each in (after - 1, after))
        found = (1 - share) * below + share * above
        assert np.corrcoef(found, data.raw_scores())[0, 1] > 0.98
        assert len(sweep) < 30


def test_the_values_reach_from_the_first_to_the_last_s() -> None:
    data = labelled()
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.9, 8.0)))
    assert list(swept.by_s) == sorted(swept.by_s)
    assert (min(swept.by_s), max(swept.by_s), swept.nearest) == (0.25, 0.75, 0.75)


def test_a_cloud_without_spread_or_at_the_reference_is_scored_too() -> None:
    place = Measure(np.zeros((3, 2)))
    buyer = Measure([[1.0, 0.0], [0.0, 1.0]])
    for far in (place, Measure(np.ones((3, 2)))):
        swept = swept_label_scores(buyer, [0, 1], {0.2: place, 0.6: far}, [0, 1, 1])
        for scores in swept.by_s.values():
            assert np.isfinite(scores).all()


def test_points_at_one_s_are_refused() -> None:
    measure = Measure([[0.0], [1.0]])
    with pytest.raises(TransportError, match="two s or more, received 1"):
        swept_label_scores(measure, [0, 1], {0.5: measure}, [0, 1])


def _arguments(
    data: Labelled, buyer: Measure, pushed: Mapping[float, Measure]
) -> tuple[Measure, NDArray[np.intp], Mapping[float, Measure], NDArray[np.intp]]:
    return buyer, data.theirs, pushed, data.own
