from collections.abc import Sequence
from typing import Any

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from wassay.transport import (
    Estimate,
    Measure,
    Normal,
    Power,
    Reference,
    SellerCosts,
    TransportError,
    document,
    estimate,
    evaluate,
    interpolate,
    nearest_words,
    project,
    wasserstein,
    word_movers_distance,
)

WORDS = ["cat", "dog", "car", "bus", "the"]
VECTORS = dict(zip(WORDS, np.random.default_rng(0).normal(size=(5, 4)), strict=True))


def test_words_weigh_as_often_as_they_occur() -> None:
    measure = document(["cat", "dog", "cat", "unknown", "cat"], VECTORS)
    np.testing.assert_array_equal(measure.points, [VECTORS["cat"], VECTORS["dog"]])
    np.testing.assert_allclose(measure.weights, [0.75, 0.25])


@pytest.mark.parametrize("p", [1, 2])
def test_word_movers_distance_is_pots(p: Power) -> None:
    one, other = ["cat", "dog", "cat"], ["car", "bus", "the", "bus"]
    cost = ot.dist(
        np.array([VECTORS[word] for word in ("cat", "dog")]),
        np.array([VECTORS[word] for word in ("car", "bus", "the")]),
        "euclidean" if p == 1 else "sqeuclidean",
    )
    expected = ot.emd2([2 / 3, 1 / 3], [0.25, 0.5, 0.25], cost) ** (1 / p)
    assert word_movers_distance(one, other, VECTORS, p).value == pytest.approx(expected)


def test_the_same_words_in_any_order_are_at_no_distance() -> None:
    one = ["the", "cat", "the", "dog"]
    assert word_movers_distance(one, one[::-1], VECTORS).value == 0


def test_a_text_of_unknown_words_is_refused() -> None:
    with pytest.raises(TransportError, match="at least one word"):
        word_movers_distance(["qwerty"], WORDS, VECTORS)


def test_word_vectors_have_one_dimension_and_are_not_empty() -> None:
    with pytest.raises(TransportError, match="one dimension"):
        document(["a", "b"], {"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(TransportError, match="with at least one word, received none"):
        nearest_words([[1.0, 2.0]], {})


def test_words_are_read_from_points_by_their_direction() -> None:
    points = [3 * VECTORS["dog"], VECTORS["bus"] + 0.01, 0.1 * VECTORS["cat"]]
    assert nearest_words(points, VECTORS | {"": np.zeros(4)}) == ["dog", "bus", "cat"]


def test_no_word_is_read_from_vectors_without_a_direction() -> None:
    with pytest.raises(TransportError, match="expected a word vector that is not zero"):
        nearest_words([[1.0, 2.0]], {"a": [0.0, 0.0], "b": [0.0, 0.0]})


def test_words_that_texts_share_take_a_sweep_with_many_pushes(random: np.random.Generator) -> None:
    """W_1 has a kink at t0, where equal words of both texts coincide."""
    shared, t0 = random.normal(size=(15, 30)), 0.35
    one = Measure(np.vstack([shared, random.normal(size=(15, 30))]))
    other = Measure(np.vstack([shared, random.normal(size=(15, 30))]))
    reference = Reference(1, 30, Normal(), seed=5).measure()
    pushed, projection = interpolate(one, reference, t0), project(other, reference)

    def estimated(sweep: Sequence[float]) -> Estimate:
        measures = {s: projection.interpolate(s) for s in sweep}
        costs = SellerCosts.from_measures("seller", measures, pushed, p=1)
        curve = evaluate(pushed.weights, [costs], sweep, p=1).grand_coalition
        return estimate(curve, t0, buyer_spread=0.0, seller_spread=0.0)

    true = wasserstein(one, other, 1).value
    few, many = estimated((0.25, 0.5, 0.75)), estimated(tuple(np.linspace(0.04, 0.96, 32)))
    assert few.value > 1.05 * true
    assert many.value == pytest.approx(true, rel=0.03)
    for found in (few, many):
        assert found.interval is not None
        assert found.interval[0] <= true <= found.interval[1]


@pytest.mark.parametrize("text", ["the dog", b"the dog", "", bytearray(b"a")])
def test_a_text_is_not_a_list_of_its_letters(text: Any) -> None:
    letters = {letter: [float(ord(letter))] for letter in "abcdefghijklmnopqrstuvwxyz "}
    with pytest.raises(TransportError, match=r"expected a list of words, received .*split"):
        document(text, letters)
    with pytest.raises(TransportError, match="expected a list of words"):
        word_movers_distance(["a"], text, letters)
    assert document(["a", "b", "a"], letters).size == 2


def test_vectors_and_points_with_masked_entries_are_refused() -> None:
    masked = np.ma.array([1.0, -9999.0], mask=[False, True])
    with pytest.raises(TransportError, match="expected the vector of 'a' without a mask"):
        document(["a"], {"a": masked})
    with pytest.raises(TransportError, match="expected the vector of 'a' without a mask"):
        nearest_words([[1.0, 2.0]], {"a": masked})
    with pytest.raises(TransportError, match="expected points without a mask"):
        nearest_words([masked], {"a": [1.0, 2.0]})


@pytest.mark.parametrize("words", [np.array("text"), np.array([["a", "b"]])], ids=["none", "two"])
def test_arrays_of_words_have_one_dimension(words: NDArray[np.str_]) -> None:
    with pytest.raises(TransportError, match=f"array of {words.ndim} dimensions"):
        document(words, {"a": np.ones(2), "b": np.ones(2)})
