"""Scores of labels over a sweep: at t0 they are those of the raw points."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
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

SWEEP = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Labelled:
    needed: Measure
    theirs: NDArray[np.intp]
    offered: Measure
    own: NDArray[np.intp]

    def pushed(self, t0: float, scale: float) -> tuple[Measure, Mapping[float, Measure]]:
        reference = Reference(1, self.needed.dimension, Normal(0.0, scale), seed=1).measure()
        isometry = Isometry.draw(self.needed.dimension, scale_hiding(self.needed))
        buyer, seller = project(self.needed, reference), project(self.offered, reference)
        return (
            isometry.apply(buyer.interpolate(t0)),
            {s: isometry.apply(seller.interpolate(s)) for s in SWEEP},
        )

    def raw_scores(self) -> NDArray[np.float64]:
        plain = label_scores(self.needed, self.theirs, self.offered, self.own)
        along = np.zeros(len(self.own))
        for found in discriminants(self.needed, self.theirs):
            quarter = self.needed.points[found.rows] @ found.directions
            offered = self.offered.points @ found.directions
            along += (
                len(found.rows)
                / self.needed.size
                * label_scores(
                    Measure(quarter), self.theirs[found.rows], Measure(offered), self.own
                )
            )
        return along if along.sum() < plain.sum() else plain

    def same_mean(self) -> "Labelled":
        """Move the seller's points, so that both means are nearest at t0 itself."""
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
    points = random.normal(size=(2, 150, 30))  # 29 of 30 do not tell classes apart
    points[..., 0] = 1.2 * classes + 0.2 * points[..., 0]
    own = classes[1].copy()
    own[:15] = 1 - own[:15]
    data = Labelled(Measure(points[0]), classes[0], Measure(points[1]), own).same_mean()
    plain = label_scores(data.needed, data.theirs, data.offered, own)
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.37, 8.0)))
    wrong = np.arange(150) < 15
    assert roc_auc_score(wrong, plain) < 0.9
    assert roc_auc_score(wrong, swept.by_s[swept.nearest]) > 0.98


def test_all_coordinates_are_kept_where_no_direction_tells_classes_apart() -> None:
    random = np.random.default_rng(2)
    points = random.normal(size=(2, 100, 2))
    classes = (np.linalg.norm(points, axis=2) > 1.2).astype(np.intp)
    data = Labelled(Measure(points[0]), classes[0], Measure(points[1]), classes[1]).same_mean()
    swept = swept_label_scores(*_arguments(data, *data.pushed(0.37, 8.0)))
    plain = label_scores(data.needed, data.theirs, data.offered, data.own)
    np.testing.assert_allclose(swept.by_s[swept.nearest], plain, atol=1e-9)


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
