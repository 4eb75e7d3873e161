"""Scores of labels over a sweep: at t0 they are those of the raw points."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

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
        return label_scores(self.needed, self.theirs, self.offered, self.own)


def labelled(shift: float = 0.0) -> Labelled:
    random = np.random.default_rng(0)
    theirs, own = random.integers(3, size=80), random.integers(3, size=120)
    centres = random.normal(scale=2.0, size=(3, 6))
    needed = centres[theirs] + random.normal(size=(80, 6))
    offered = centres[own] + random.normal(size=(120, 6)) + shift
    own[:12] = (own[:12] + 1) % 3
    return Labelled(Measure(needed), theirs, Measure(offered), own)


def test_sealed_points_pushed_to_three_s_give_the_scores_of_raw_points_at_t0() -> None:
    data = labelled()
    # The means are then nearest at t0 itself.
    centred = Measure(data.offered.points - data.offered.mean + data.needed.mean)
    same_mean = Labelled(data.needed, data.theirs, centred, data.own)
    swept = swept_label_scores(*_arguments(same_mean, *same_mean.pushed(0.37, 8.0)))
    assert swept.nearest == pytest.approx(0.37, abs=1e-9)
    np.testing.assert_allclose(swept.by_s[swept.nearest], same_mean.raw_scores(), atol=1e-9)


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
