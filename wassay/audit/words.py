"""Words of a text that can be read from points which were their vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport import Measure, TransportError, cost_block, nearest_words

_FLAT = 1e-10
"""Directions in which points extend less than this share of the widest are none."""

_WORDS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Text:
    """A text whose records are the vectors of its words.

    Attributes
    ----------
    words : sequence of str
        The word of each record.
    vectors : mapping of str to array_like, shape (d,)
        Of all words that there are.
    places : ndarray, shape (words that there are, d)
        The same where the sent points lie.
    """

    words: Sequence[str]
    vectors: Mapping[str, ArrayLike]
    places: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        records: Measure,
        vectors: Mapping[str, ArrayLike],
        movement: Callable[[Measure], Measure],
    ) -> Text:
        """Read the words of the records, and move the vectors as these are moved.

        Raises
        ------
        TransportError
            When there are no vectors, or not of the records' dimension.
        """
        shapes = {np.shape(vector) for vector in vectors.values()}
        if shapes != {(records.dimension,)}:
            raise TransportError(
                f"records with {records.dimension} coordinates are words of vectors with as many, "
                f"got {len(vectors)} vectors of shapes {sorted(shapes)}"
            )
        matrix = np.array(list(vectors.values()), dtype=np.float64)
        words = nearest_words(records.points, vectors)
        return cls(words, vectors, movement(Measure(matrix)).points)

    def read_in(self, points: NDArray[np.float64], rows: NDArray[np.intp]) -> int:
        """Count the reconstructions of some records that are nearest to the record's own word.

        Where a reconstruction is a projection only, the words are projected alike.
        """
        centre = points.mean(axis=0)
        _, extents, directions = np.linalg.svd(points - centre, full_matrices=False)
        along = directions[extents > _FLAT * extents[0]].T
        seen = (points - centre) @ along
        nearest, least = np.zeros(len(seen), dtype=np.intp), np.full(len(seen), np.inf)
        for start in range(0, len(self.places), _WORDS_AT_ONCE):
            some = (self.places[start : start + _WORDS_AT_ONCE] - centre) @ along
            squared = cost_block(seen, some)
            nearer = squared.min(axis=1) < least
            nearest[nearer] = start + squared[nearer].argmin(axis=1)
            least = np.minimum(least, squared.min(axis=1))
        names = list(self.vectors)
        return sum(
            names[index] == self.words[row] for index, row in zip(nearest, rows, strict=True)
        )

    def read_as_sent(self, points: NDArray[np.float64]) -> int:
        """Count the words of one who takes the sent points of all records for vectors.

        Nearest is what has the smallest angle, as in the paper's matching rate.
        """
        found = nearest_words(points, self.vectors)
        return sum(word == own for word, own in zip(found, self.words, strict=True))
