"""Read word vectors from text files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wassay.errors import InvalidArgumentError


def read_vectors(path: Path) -> dict[str, NDArray[np.float64]]:
    """Read a file in which each line has a word and its coordinates, separated by spaces.

    A first line of two fields, as word2vec writes it, is skipped.

    Raises
    ------
    InvalidArgumentError
        If a line has another form or coordinates that are not finite, or the file has no word.
    """
    vectors: dict[str, NDArray[np.float64]] = {}
    dimension: int | None = None
    # Decode bytes that are not UTF-8 to surrogates, which keep words distinct. Words are only
    # compared and never printed.
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file, start=1):
            fields = line.rstrip().split(" ")
            if number == 1 and len(fields) == 2:
                continue
            dimension = dimension or len(fields) - 1
            word = " ".join(fields[:-dimension])  # Some words of GloVe contain spaces.
            try:
                vector = np.array(fields[-dimension:], dtype=np.float64)
            except ValueError:
                word = ""
            if not word or not np.isfinite(vector).all():
                raise InvalidArgumentError(
                    f"{path}: expected a word and its coordinates, separated by spaces, received "
                    f"{line[:40]!r} in line {number}: save the vectors in the text format of "
                    "word2vec or GloVe"
                )
            vectors[word] = vector
    if not vectors:
        raise InvalidArgumentError(
            f"{path}: expected a word vector in each line, received an empty file: save the "
            "vectors in the text format of word2vec or GloVe"
        )
    return vectors
