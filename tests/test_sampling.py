"""Samples of rows: their counts and shares, and scipy's test of uniformity."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from wassay.sampling import MOST_STRATA, CannotSample, Drawing, Sample


def draw(total: int, sample: Sample, batch: int) -> list[int]:
    drawing = Drawing(sample)
    for start in range(0, total, batch):
        drawing.add(min(batch, total - start))
    return list(map(int, drawing.drawn().numbers))


def test_the_same_seed_draws_the_same_rows_whatever_the_batches() -> None:
    sample = Sample(500, seed=7)
    numbers = draw(100_000, sample, 100_000)
    assert len(set(numbers)) == 500
    assert numbers == sorted(numbers)
    assert draw(100_000, sample, 999) == numbers
    assert draw(100_000, Sample(500, seed=8), 999) != numbers


def test_every_row_is_drawn_equally_often() -> None:
    counts = np.zeros(50)
    for seed in range(2_000):
        counts[draw(50, Sample(10, seed), 7)] += 1
    assert counts.sum() == 2_000 * 10
    assert chisquare(counts).pvalue > 1e-3


def test_a_table_that_is_no_longer_than_the_sample_is_taken_whole() -> None:
    assert draw(20, Sample(20), 6) == list(range(20))
    assert draw(20, Sample(1_000), 6) == list(range(20))
    drawing = Drawing(Sample(3))
    assert drawing.drawn().numbers.tolist() == []


def test_classes_keep_their_shares_and_each_has_a_row() -> None:
    classes = [*np.random.default_rng(0).choice(list("aaaaaaabbb"), 9_999).tolist(), "rare"]
    drawings = [Drawing(Sample(100, seed=3)) for _ in range(2)]
    drawings[0].add_classes(classes)
    for start in range(0, len(classes), 77):
        drawings[1].add_classes(classes[start : start + 77])
    one, other = (drawing.drawn() for drawing in drawings)
    assert one.numbers.tolist() == other.numbers.tolist()
    assert str(one) == "100 of 10,000 rows, drawn with seed 3"
    drawn = [classes[number] for number in one.numbers]
    assert drawn.count("rare") == 1
    assert drawn.count("a") == pytest.approx(100 * classes.count("a") / 10_000, abs=1)
    assert len(drawn) == 100


def test_rows_without_a_class_are_a_class() -> None:
    drawing = Drawing(Sample(10, seed=3))
    drawing.add_classes(["a"] * 50 + [None] * 50)
    assert (drawing.drawn().numbers < 50).sum() == 5


@pytest.mark.parametrize(("rows", "classes"), [(2, 3), (5_000, MOST_STRATA + 1)])
def test_more_classes_than_rows_are_refused(rows: int, classes: int) -> None:
    with pytest.raises(CannotSample, match="classes in column 'kind'"):
        Drawing(Sample(rows, by="kind")).add_classes(range(classes))


@pytest.mark.parametrize("arguments", [{"rows": 0}, {"rows": 1.5}, {"rows": 9, "seed": -1}])
def test_a_sample_has_a_whole_number_of_rows(arguments: dict[str, Any]) -> None:
    with pytest.raises(CannotSample, match="of a sample to be a whole number of at least"):
        Sample(**arguments)
