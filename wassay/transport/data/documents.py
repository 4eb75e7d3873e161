"""Texts as measures of word vectors, and the word mover's distance between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.certificate import Distance
from wassay.transport.costs.cost import Power
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.measure import Measure

_WORDS_AT_ONCE = 4096


def document(words: Iterable[str], vectors: Mapping[str, ArrayLike]) -> Measure:
    """A text as the measure of its words, each at its vector and as heavy as it is frequent.

    Parameters
    ----------
    words : iterable of str
        As often as they occur; a text is split into its words before. Words without a vector are
        left out.
    vectors : mapping of str to array_like, shape (d,)
        A word embedding.

    Raises
    ------
    TransportError
        If words are one text, no word has a vector, or vectors have different dimensions.
    """
    _require_words(words)
    counts = Counter(word for word in words if word in vectors)
    if not counts:
        raise TransportError("a document needs at least one word that has a vector")
    frequencies = np.array(list(counts.values()), dtype=np.float64)
    points = [_vector(word, vectors) for word in counts]
    shapes = sorted({point.shape for point in points})
    if len(shapes) > 1:
        raise TransportError(f"vectors of words have one dimension, got shapes {shapes}")
    return Measure(points, frequencies / frequencies.sum())


def nearest_words(points: ArrayLike, vectors: Mapping[str, ArrayLike]) -> list[str]:
    """The word at the smallest angle to each point: what somebody reads who got the points.

    Parameters
    ----------
    points : array_like, shape (n, d)
    vectors : mapping of str to array_like, shape (d,)
        A word embedding; a word at the origin is at no angle to anything and never found.

    Returns
    -------
    list of str
        One for each point.

    Raises
    ------
    TransportError
        When there is no word.
    """
    if not vectors:
        raise TransportError("words are read among those of an embedding, got one without any")
    require_unmasked(points, "points")
    seen = np.asarray(points, dtype=np.float64)
    words = list(vectors)
    nearest, best = np.zeros(len(seen), dtype=np.intp), np.full(len(seen), -np.inf)
    for start in range(0, len(words), _WORDS_AT_ONCE):
        some = words[start : start + _WORDS_AT_ONCE]
        directions = np.array([_vector(word, vectors) for word in some])
        lengths = np.linalg.norm(directions, axis=1)
        reached = seen @ directions.T
        cosines = np.divide(reached, lengths, out=np.full_like(reached, -np.inf), where=lengths > 0)
        nearer = cosines.max(axis=1) > best
        nearest[nearer] = start + cosines[nearer].argmax(axis=1)
        best = np.maximum(best, cosines.max(axis=1))
    return [words[index] for index in nearest]


def word_movers_distance(
    words: Iterable[str],
    others: Iterable[str],
    vectors: Mapping[str, ArrayLike],
    p: Power = 1,
) -> Distance:
    """How far the words of one text have to move to become those of another (Kusner et al. 2015).

    Parameters
    ----------
    words, others : iterable of str
    vectors : mapping of str to array_like, shape (d,)
    p : {1, 2}
        1 is the word mover's distance; 2 is what the protocol measures.

    Raises
    ------
    TransportError
        If words are one text, or have no vector among them.
    """
    from wassay.transport.solvers.exact import wasserstein

    return wasserstein(document(words, vectors), document(others, vectors), p)


def _require_words(words: object) -> None:
    if isinstance(words, str | bytes | bytearray | memoryview):
        raise TransportError(
            f"expected a list of words, got {type(words).__name__} {str(words)[:40]!r}, of which "
            "each letter would be a word: split it (text.split())"
        )


def _vector(word: str, vectors: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    require_unmasked(vectors[word], f"the vector of {word!r}")
    return np.asarray(vectors[word], dtype=np.float64)
