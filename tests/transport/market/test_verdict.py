"""Two samples of one population are judged as near as chance allows, and shifted ones are not."""

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from wassay.transport import Measure, Nearness, Resampled, judge, resample

SWEEP = (0.25, 0.5, 0.75)
PLACE = np.full(5, 40.0)
"""The only point of the reference, far from the data."""

Floats = NDArray[np.float64]


def resampled(buyer: Measure, seller: Measure, t0: float = 0.4, seed: int = 1) -> Resampled:
    found = resample(pushed(buyer, t0), {s: pushed(seller, s) for s in SWEEP}, seed)
    assert found is not None
    return found


def pushed(measure: Measure, t: float) -> Measure:
    place = PLACE[: measure.dimension]
    return Measure((1 - t) * measure.points + t * place, measure.weights)


def judged(buyer: Measure, seller: Measure, t0: float = 0.4) -> Nearness:
    return judge(resampled(buyer, seller, t0), SWEEP, t0)


def sample(random: np.random.Generator, rows: int, shift: float = 0.0) -> Measure:
    points = random.normal(size=(rows, 5))
    points[:, 0] += shift
    return Measure(points)


def test_samples_of_one_population_are_as_near_as_own_data() -> None:
    random = np.random.default_rng(2)
    verdicts = [judged(sample(random, 300), sample(random, 400)).verdict for _ in range(12)]
    assert verdicts.count("as-near-as-own") >= 11


def test_half_a_standard_deviation_in_one_of_five_columns_is_different() -> None:
    random = np.random.default_rng(3)
    found = [judged(sample(random, 400), sample(random, 400, shift=0.5)) for _ in range(6)]
    assert [each.verdict for each in found] == ["different"] * 6
    intervals = [each.difference_interval for each in found]
    assert sum(low <= 0.5 <= high for low, high in intervals) >= 4
    assert np.mean([each.difference for each in found]) == pytest.approx(0.5, abs=0.08)


def test_of_a_difference_in_spread_small_parts_show_less_than_all() -> None:
    random = np.random.default_rng(7)
    truth = 0.6 * 5**0.5
    few, many = (
        np.mean(
            [
                judged(sample(random, n), Measure(1.6 * sample(random, n).points)).difference
                for _ in range(6)
            ]
        )
        for n in (150, 600)
    )
    assert 0.7 * truth < few < many < truth


def test_few_rows_cannot_tell_and_fewer_are_not_divided() -> None:
    random = np.random.default_rng(4)
    found = judged(sample(random, 40), sample(random, 40))
    assert found.verdict == "cannot-tell"
    assert found.noticeable > found.relevant == pytest.approx(0.5, rel=0.1)
    buyer, few = sample(random, 40), sample(random, 19)
    assert resample(buyer, {s: pushed(few, s) for s in SWEEP}, 0) is None


def test_the_floor_sinks_with_the_number_of_rows() -> None:
    random = np.random.default_rng(5)
    floors = [judged(sample(random, rows), sample(random, rows)).floor for rows in (50, 200, 800)]
    assert floors == sorted(floors, reverse=True)
    assert floors[2] < 0.7 * floors[0]


def test_the_distances_at_t0_are_those_of_the_raw_parts_whatever_t0() -> None:
    random = np.random.default_rng(6)
    buyer, seller = sample(random, 40), sample(random, 40, shift=2.0)
    found = [judged(buyer, seller, t0) for t0 in (0.1, 0.5, 0.85)]
    # Each side's parts, of 40 equally heavy rows, are slices of one seeded permutation.
    draws = np.random.default_rng(1)
    mine, theirs = (part_rows(draws) for _ in range(2))
    costs = [squared(buyer.points[i], seller.points[j]) for i in mine for j in theirs]
    own = [squared(buyer.points[i], buyer.points[j]) for i in mine for j in mine if i is not j]
    for each in found:
        assert each.distance == pytest.approx(np.mean(costs) ** 0.5)
        assert each.floor == pytest.approx(np.mean(own) ** 0.5)
        assert each.p_value == pytest.approx(found[0].p_value, rel=1e-6)


def part_rows(random: np.random.Generator) -> list[NDArray[np.intp]]:
    random.random(40)  # the draw by weight, which keeps all equally heavy rows
    return np.split(random.permutation(40), 10)


def squared(one: Floats, other: Floats) -> float:
    return float(ot.emd2([], [], ot.dist(one, other)))


def test_weights_correct_a_sample_that_was_drawn_unevenly() -> None:
    random = np.random.default_rng(7)
    buyer, uneven = sample(random, 400), random.normal(size=(1600, 5))
    kept = uneven[random.random(1600) < 1 / (1 + np.exp(-2 * uneven[:, 0]))]
    weights = 1 + np.exp(-2 * kept[:, 0].clip(-1.2))
    assert judged(buyer, Measure(kept)).verdict == "different"
    corrected = judged(buyer, Measure(kept, weights / weights.sum()))
    assert corrected.verdict != "different"
    assert corrected.part_points < len(kept) // 10


def test_equal_points_are_as_near_as_own_data() -> None:
    same = Measure(np.ones((30, 2)))
    found = judged(same, same)
    assert (found.verdict, found.floor, found.p_value, found.multiple) == (
        "as-near-as-own",
        0,
        1,
        1,
    )
    other = judged(same, Measure(np.zeros((30, 2))))
    assert (other.verdict, other.p_value) == ("different", 0)
    assert other.difference == pytest.approx(2**0.5)


def test_every_problem_is_certified() -> None:
    random = np.random.default_rng(8)
    assert resampled(sample(random, 50), sample(random, 50)).largest_gap < 1e-9
