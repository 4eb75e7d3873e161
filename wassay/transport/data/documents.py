"""Texts as measures of word vectors, and the word mover's distance."""

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

_WORD_BLOCK = 4096


def document(words: Iterable[str], vectors: Mapping[str, ArrayLike]) -> Measure:
    """Convert a text to a measure: one point for each word, weighted by the word's frequency.

    Parameters
    ----------
    words : iterable of str
        The tokenised text, with repetitions. Words without a vector are left out.
    vectors : mapping of str to array_like, shape (d,)
        A word embedding: the point of each word.

    Returns
    -------
    Measure
        One point for each distinct word.

    Raises
    ------
    TransportError
        If `words` is a string, no word has a vector, or vectors differ in dimension.
    """
    _require_words(words)
    counts = Counter(word for word in words if word in vectors)
    if not counts:
        raise TransportError("expected at least one word with a vector, received none")
    frequencies = np.array(list(counts.values()), dtype=np.float64)
    points = [_vector(word, vectors) for word in counts]
    shapes = sorted({point.shape for point in points})
    if len(shapes) > 1:
        raise TransportError(f"expected word vectors of one dimension, received shapes {shapes}")
    return Measure(points, frequencies / frequencies.sum())


def nearest_words(points: ArrayLike, vectors: Mapping[str, ArrayLike]) -> list[str]:
    """Find the word with the largest cosine similarity to each point.

    Whoever receives the points of a document can read its words in this way.

    Parameters
    ----------
    points : array_like, shape (n, d)
    vectors : mapping of str to array_like, shape (d,)
        A word embedding. Words with a zero vector are never found.

    Returns
    -------
    list of str
        One word for each point.

    Raises
    ------
    TransportError
        If the embedding has no vector that is not zero, or an array is masked.
    """
    if not vectors:
        raise TransportError("expected a word embedding with at least one word, received none")
    require_unmasked(points, "points")
    targets = np.asarray(points, dtype=np.float64)
    words = list(vectors)
    nearest, best = np.zeros(len(targets), dtype=np.intp), np.full(len(targets), -np.inf)
    has_direction = False
    for start in range(0, len(words), _WORD_BLOCK):
        block = words[start : start + _WORD_BLOCK]
        directions = np.array([_vector(word, vectors) for word in block])
        lengths = np.linalg.norm(directions, axis=1)
        has_direction |= bool(lengths.any())
        projections = targets @ directions.T
        cosines = np.divide(
            projections, lengths, out=np.full_like(projections, -np.inf), where=lengths > 0
        )
        nearer = cosines.max(axis=1) > best
        nearest[nearer] = start + cosines[nearer].argmax(axis=1)
        best = np.maximum(best, cosines.max(axis=1))
    if not has_direction:
        raise TransportError("expected a word vector that is not zero, received only zero vectors")
    return [words[index] for index in nearest]


def word_movers_distance(
    words: Iterable[str],
    others: Iterable[str],
    vectors: Mapping[str, ArrayLike],
    p: Power = 1,
) -> Distance:
    """Compute the word mover's distance between two texts (Kusner et al. 2015).

    This is W_p between the measures that `document` returns.

    Parameters
    ----------
    words, others : iterable of str
        The tokenised texts.
    vectors : mapping of str to array_like, shape (d,)
        A word embedding.
    p : {1, 2}
        1 for the word mover's distance, 2 for the distance that Wassay computes elsewhere.

    Returns
    -------
    Distance
        With its certificate.

    Raises
    ------
    TransportError
        If a text is a string, none of its words has a vector, or vectors differ in dimension.
    NotCertified
        If the solution cannot be proven optimal.
    SolverMissing
        If the extra `solver` is not installed.
    """
    from wassay.transport.solvers.wasserstein import wasserstein

    return wasserstein(document(words, vectors), document(others, vectors), p)


def _require_words(words: object) -> None:
    if isinstance(words, np.ndarray) and words.ndim != 1:
        raise TransportError(
            f"expected words in one dimension, received an array of {words.ndim} dimensions: give "
            "a list of words"
        )
    if isinstance(words, str | bytes | bytearray | memoryview):
        raise TransportError(
            f"expected a list of words, received {type(words).__name__} {str(words)[:40]!r}, whose "
            "letters would be the words: split it (text.split())"
        )


def _vector(word: str, vectors: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    require_unmasked(vectors[word], f"the vector of {word!r}")
    return np.asarray(vectors[word], dtype=np.float64)
