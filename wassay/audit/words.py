"""Count the words of a text that can be read from its points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport import Measure, TransportError, cost_block, nearest_words

_FLAT = 1e-10
"""Directions with less than this share of the widest extent come from rounding errors."""

_WORDS_PER_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Text:
    """A text whose records are the vectors of its words.

    Attributes
    ----------
    words : sequence of str
        The word of each record.
    vectors : mapping of str to array_like, shape (d,)
        Vectors of the whole vocabulary.
    moved : ndarray, shape (len(vectors), d)
        The vectors of the vocabulary, moved like the sent points.
    """

    words: Sequence[str]
    vectors: Mapping[str, ArrayLike]
    moved: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        records: Measure,
        vectors: Mapping[str, ArrayLike],
        motion: Callable[[Measure], Measure],
    ) -> Text:
        """Build the text: find the word of each record, and move the word vectors by `motion`.

        Raises
        ------
        TransportError
            If there are no vectors, or their dimension is not that of the records.
        """
        shapes = {np.shape(vector) for vector in vectors.values()}
        if shapes != {(records.dimension,)}:
            raise TransportError(
                f"expected word vectors with {records.dimension} coordinates, as the records have, "
                f"received {len(vectors)} vectors of shapes {sorted(shapes)}: use the vectors that "
                "the records were made from"
            )
        matrix = np.array(list(vectors.values()), dtype=np.float64)
        words = nearest_words(records.points, vectors)
        return cls(words, vectors, motion(Measure(matrix)).points)

    def read_in(self, points: NDArray[np.float64], rows: NDArray[np.intp]) -> int:
        """Count the reconstructed points whose nearest word is the right one.

        Row i of `points` reconstructs record `rows[i]`.
        """
        centre = points.mean(axis=0)
        # If the points span only a subspace, they are compared with the projections of the word
        # vectors onto it.
        _, extents, directions = np.linalg.svd(points - centre, full_matrices=False)
        along = directions[extents > _FLAT * extents[0]].T
        projected = (points - centre) @ along
        nearest, least = np.zeros(len(projected), dtype=np.intp), np.full(len(projected), np.inf)
        for start in range(0, len(self.moved), _WORDS_PER_BLOCK):
            block = (self.moved[start : start + _WORDS_PER_BLOCK] - centre) @ along
            squared = cost_block(projected, block)
            nearer = squared.min(axis=1) < least
            nearest[nearer] = start + squared[nearer].argmin(axis=1)
            least = np.minimum(least, squared.min(axis=1))
        names = list(self.vectors)
        return sum(
            names[index] == self.words[row] for index, row in zip(nearest, rows, strict=True)
        )

    def read_as_sent(self, points: NDArray[np.float64]) -> int:
        """Count the points that are nearest in angle to the vector of their own word."""
        found = nearest_words(points, self.vectors)
        return sum(word == own for word, own in zip(found, self.words, strict=True))
