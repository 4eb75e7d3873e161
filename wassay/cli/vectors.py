"""Word vectors from files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError


def read_vectors(path: Path) -> dict[str, NDArray[np.float64]]:
    """Read a line for each word: the word, and its numbers, separated by spaces.

    word2vec's text format begins with a line of two numbers, how many words and coordinates there
    are; GloVe's does not.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else, no word, or numbers that are not finite.
    """
    vectors: dict[str, NDArray[np.float64]] = {}
    dimension: int | None = None
    # Words in other encodings stay apart: they are compared, and never printed.
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file, start=1):
            fields = line.rstrip().split(" ")
            if number == 1 and len(fields) == 2:
                continue
            dimension = dimension or len(fields) - 1
            word = " ".join(fields[:-dimension])  # a few of GloVe's have spaces in them
            try:
                vector = np.array(fields[-dimension:], dtype=np.float64)
            except ValueError:
                word = ""
            if not word or not np.isfinite(vector).all():
                raise InvalidArgumentError(
                    f"{path}: line {number} is not a word and its numbers, separated by spaces, as "
                    "word2vec and GloVe write vectors as text; save them in that format"
                )
            vectors[word] = vector
    if not vectors:
        raise InvalidArgumentError(
            f"{path}: expected word vectors, a line each, got an empty file: save them as text"
        )
    return vectors
