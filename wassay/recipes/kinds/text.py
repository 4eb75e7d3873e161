"""The kind `text`: texts, each encoded as the mean of its word vectors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from wassay.recipes.columns import Column, quoted
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.vector import Digest, VectorKind

Vectors: TypeAlias = Mapping[str, ArrayLike]

_WORD = re.compile(r"\w+")


class Text(VectorKind):
    """A text, encoded as the mean of its word vectors, which both sides must have."""

    schema_type: ClassVar[str] = "string"
    kind: Literal["text"] = "text"
    tokeniser: Literal["lowercase-words", "words", "whitespace"] = Field(
        default="lowercase-words",
        description="How to split texts into words: runs of letters and digits, or at white space.",
    )
    unknown: Literal["skip", "refuse"] = Field(
        default="skip", description="What to do with words that have no vector."
    )
    vectors_sha256: Digest | None = Field(
        default=None, description="The digest of the word vectors."
    )

    def check(self, column: Column) -> None:
        """Raise unless the column holds texts."""
        if column.type not in ("text", "empty"):
            raise RecipeError(
                f"expected texts in column {column.name!r}, received {column.type}: convert it"
            )

    def embedded(self, column: Column, vectors: Vectors) -> tuple[Self, Column]:
        """Return this kind with the digest of the word vectors, and a column of mean word vectors.

        A text in which no word has a vector counts as missing.

        Raises
        ------
        RecipeError
            If the column holds no texts, or the vectors differ in dimension, are not the recipe's,
            or lack a word that the recipe requires.
        """
        self.check(column)
        table = {word: np.asarray(vector, np.float64) for word, vector in vectors.items()}
        sizes = {vector.shape for vector in table.values()}
        if len(sizes) != 1 or len(next(iter(sizes))) != 1:
            raise RecipeError(
                f"expected word vectors of one dimension, received shapes {sorted(sizes)}"
            )
        received = vectors_digest(table)
        if self.vectors_sha256 not in (None, received):
            raise RecipeError(
                f"expected the word vectors with the digest {self.vectors_sha256} for column "
                f"{column.name!r}, received others ({received}): use the buyer's"
            )
        values = np.zeros((len(column), sizes.pop()[0]))
        missing = column.missing.copy()
        for row in np.flatnonzero(~missing):
            missing[row] = not self._write_mean_vector(
                str(column.values[row]), table, values[row], column.name
            )
        kind = self.model_copy(update={"vectors_sha256": received})
        return kind, Column(column.name, "array", values, missing)

    def _write_mean_vector(
        self, text: str, table: dict[str, NDArray[np.float64]], into: NDArray[Any], name: str
    ) -> bool:
        words = self.words(text)
        known = [word for word in words if word in table]
        if len(known) < len(words) and self.unknown == "refuse":
            unknown = sorted(set(words) - table.keys())
            raise RecipeError(
                f"expected words with a vector in column {name!r}, received {quoted(unknown)}: "
                "remove these words, or ask the buyer for a recipe with unknown='skip'"
            )
        for word in known:
            into += table[word]
        into /= max(1, len(known))
        return bool(known)

    def words(self, text: str) -> list[str]:
        """Split a text into words."""
        if self.tokeniser == "whitespace":
            return text.split()
        return _WORD.findall(text.lower() if self.tokeniser == "lowercase-words" else text)


def vectors_digest(vectors: Mapping[str, NDArray[np.float64]]) -> str:
    """Return the SHA-256 of word vectors, sorted by word, as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for word in sorted(vectors):
        digest.update(word.encode(errors="surrogatepass") + b"\0")
        digest.update(vectors[word].astype("<f8").tobytes())
    return digest.hexdigest()
