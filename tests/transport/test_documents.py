import numpy as np
import ot
import pytest

from wassay.transport import TransportError, document, nearest_words, word_movers_distance

WORDS = ["cat", "dog", "car", "bus", "the"]
VECTORS = dict(zip(WORDS, np.random.default_rng(0).normal(size=(5, 4)), strict=True))


def test_words_weigh_as_often_as_they_occur():
    measure = document(["cat", "dog", "cat", "unknown", "cat"], VECTORS)
    np.testing.assert_array_equal(measure.points, [VECTORS["cat"], VECTORS["dog"]])
    np.testing.assert_allclose(measure.weights, [0.75, 0.25])


@pytest.mark.parametrize("p", [1, 2])
def test_word_movers_distance_is_pots(p):
    one, other = ["cat", "dog", "cat"], ["car", "bus", "the", "bus"]
    cost = ot.dist(
        np.array([VECTORS[word] for word in ("cat", "dog")]),
        np.array([VECTORS[word] for word in ("car", "bus", "the")]),
        "euclidean" if p == 1 else "sqeuclidean",
    )
    expected = ot.emd2([2 / 3, 1 / 3], [0.25, 0.5, 0.25], cost) ** (1 / p)
    assert word_movers_distance(one, other, VECTORS, p).value == pytest.approx(expected)


def test_the_same_words_in_any_order_are_at_no_distance():
    one = ["the", "cat", "the", "dog"]
    assert word_movers_distance(one, one[::-1], VECTORS).value == 0


def test_a_text_of_unknown_words_is_nowhere():
    with pytest.raises(TransportError, match="at least one word"):
        word_movers_distance(["qwerty"], WORDS, VECTORS)


def test_words_are_read_from_points_by_their_direction():
    points = [3 * VECTORS["dog"], VECTORS["bus"] + 0.01, 0.1 * VECTORS["cat"]]
    assert nearest_words(points, VECTORS | {"": np.zeros(4)}) == ["dog", "bus", "cat"]
