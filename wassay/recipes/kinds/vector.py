"""The kind `vector`: vectors, such as embeddings by a named model."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from wassay.recipes.columns import Column
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.kind import Kind, KindFit
from wassay.recipes.limits import LARGEST, MOST_DIMENSIONS, MOST_TEXT
from wassay.recipes.uniforms import Stream

Array = NDArray[np.float64]
Name = Annotated[str, Field(max_length=MOST_TEXT)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class VectorFit(KindFit):
    """No parameters: vectors need only the centre and scale that every field has."""

    of: Literal["vectors"] = "vectors"

    def disclosed(self) -> str:
        """Say in a few words that sellers learn the mean and the spread."""
        return "the mean vectors, and their spread"


class VectorKind(Kind[VectorFit]):
    """The base of kinds whose values are vectors or become vectors."""

    fit_type: ClassVar[type[KindFit]] = VectorFit
    whitened: ClassVar[bool] = False
    model: Name | None = Field(default=None, description="The name of the embedding model.")
    version: Name | None = Field(default=None, description="The model's version.")
    sha256: Digest | None = Field(default=None, description="The digest of the model's weights.")
    size: int = Field(default=0, ge=0, le=MOST_DIMENSIONS, description="The number of coordinates.")
    normalised: bool = Field(default=False, description="Whether vectors are scaled to length 1.")

    def resolve(self, column: Column) -> Self:
        """Return this kind, with the `size` of the buyer's vectors unless one was given."""
        if self.size or column.type != "array" or column.values.ndim != 2:
            return self
        size = column.values.shape[1]
        if size > MOST_DIMENSIONS:
            raise RecipeError(
                f"expected vectors of at most {MOST_DIMENSIONS:,} coordinates in column "
                f"{column.name!r}, received {size:,}: project or embed them"
            )
        return self.model_copy(update={"size": size})

    def read(self, column: Column) -> Array:
        """Return the vectors, one in each row."""
        if column.type != "array" or column.values.ndim != 2:
            raise RecipeError(
                f"expected vectors in column {column.name!r}, received {column.type}: give a list "
                "or an array of numbers for each row"
            )
        if column.values.shape[1] != self.size:
            raise RecipeError(
                f"expected vectors of {self.size} coordinates in column {column.name!r}, received "
                f"{column.values.shape[1]}: use the model {self.model or 'of the buyer'}"
            )
        return np.asarray(column.values)

    def unusable(self, values: NDArray[Any], name: str) -> tuple[str, NDArray[np.bool_]] | None:
        """Find vectors with infinite or too large numbers, and zero vectors that cannot be scaled.

        Return a sentence that says what is wrong, and a mask; None if there are no such vectors.
        """
        infinite = (np.abs(values) > LARGEST).any(axis=1)
        if infinite.any():
            return (
                f"expected finite vectors below {LARGEST:g} in column {name!r}, received ±inf or "
                "larger numbers: replace these rows",
                infinite,
            )
        zero = _squares(values) == 0.0
        if self.normalised and zero.any():
            return (
                f"expected vectors that can be scaled to length 1 in column {name!r}, received "
                "zero vectors: replace them by None",
                zero,
            )
        return None

    def fit(self, values: Array, name: str, stream: Stream | None) -> VectorFit:
        """Return an empty fit: vectors need only the centre and scale that every field has."""
        return VectorFit()

    def width(self, fit: VectorFit) -> int:
        """Return the number of coordinates of the vectors."""
        return self.size

    def encode(self, values: Array, fit: VectorFit, name: str, stream: Stream | None) -> Array:
        """Return the vectors, scaled to length 1 if `normalised`."""
        return (
            np.asarray(values / np.sqrt(_squares(values))[:, None]) if self.normalised else values
        )

    def options(self) -> str:
        """Return the model and its version."""
        return " ".join(filter(None, (self.model, self.version)))


def _squares(vectors: Array) -> Array:
    """Return the squared length of each vector."""
    squares = np.zeros(len(vectors))
    for column in vectors.T:  # summed in the same order on every machine
        squares += column * column
    return squares


class Vector(VectorKind):
    """A vector of numbers, such as the embedding of a text, an image or a molecule."""

    schema_type: ClassVar[str] = "list"
    kind: Literal["vector"] = "vector"
