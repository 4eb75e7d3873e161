"""The kind `ordered`: categories with an order, encoded as ranks."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from wassay.recipes.columns import Column, quoted, texts_of
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.kinds.numeric import Numeric
from wassay.recipes.limits import MOST_CATEGORIES, MOST_TEXT


class Ordered(Numeric):
    """An ordered category, such as small, medium, large, encoded as its rank."""

    schema_type: ClassVar[str] = "string"
    kind: Literal["ordered"] = "ordered"
    order: Annotated[
        tuple[Annotated[str, Field(max_length=MOST_TEXT)], ...], Field(max_length=MOST_CATEGORIES)
    ] = Field(default=(), description="All categories, lowest first. Sellers see them.")

    def resolve(self, column: Column) -> Self:
        """Take the order that the frame declares, unless one is given."""
        if self.order:
            return self
        if column.order is None:
            raise RecipeError(
                f"expected the order of the categories in column {column.name!r}, received none: "
                "name it, as in Ordered(order=('small', 'medium', 'large'))"
            )
        return self.model_copy(update={"order": column.order})

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return the rank of each row's category, from 0."""
        texts = texts_of(column)
        ranks = {category: float(rank) for rank, category in enumerate(self.order)}
        unknown = sorted({text for text in texts[~column.missing] if text not in ranks})
        if unknown:
            raise UnreadableError(
                f"expected {quoted(self.order)} in column {column.name!r}, received "
                f"{quoted(unknown)}: rename these categories, or remove their rows",
                ~column.missing & np.isin(texts, unknown),
            )
        return np.array([ranks.get(text, 0.0) for text in texts])
