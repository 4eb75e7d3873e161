"""Categories without an order: corners of a regular simplex."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from wassay.recipes.columns import Column, texts_of
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.kind import Kind, KindFit
from wassay.recipes.limits import (
    FEWEST_OF_A_CATEGORY,
    MOST_CATEGORIES,
    MOST_CATEGORIES_FITTED,
    MOST_TEXT,
)
from wassay.recipes.uniforms import Stream

Array = NDArray[np.float64]


class CategoryFit(KindFit):
    """What is told of a column of categories."""

    of: Literal["categories"] = "categories"
    categories: Annotated[
        list[Annotated[str, Field(max_length=MOST_TEXT)]],
        Field(min_length=1, max_length=MOST_CATEGORIES),
    ] = Field(description="Those with a corner of their own; all others share one more.")
    spread: float = Field(
        ge=0, le=1, description="The share of pairs of rows that are of different categories."
    )

    others: float = Field(ge=0, le=1, description="The share of rows without a corner.")

    @model_validator(mode="after")
    def _different(self) -> CategoryFit:
        if len(set(self.categories)) < len(self.categories):
            raise ValueError("expected different categories")
        return self

    def told(self) -> str:
        """Name the categories."""
        return f"the names of categories that at least {FEWEST_OF_A_CATEGORY} rows have"


class Category(Kind[CategoryFit]):
    """One of several categories without an order.

    Each is a corner of a regular simplex, so that all are at one distance. Those that are unknown,
    or too rare to be told, share a corner of their own.
    """

    schema_type: ClassVar[str] = "string"
    fit_type: ClassVar[type[KindFit]] = CategoryFit
    kind: Literal["category"] = "category"
    noise: float = Field(
        default=0.5,
        ge=0,
        lt=1,
        description="The share of the squared distance that jitter makes up, if it is on.",
    )

    def read(self, column: Column) -> NDArray[Any]:
        """Return the categories as text."""
        if column.type == "array":
            raise RecipeError(
                f"expected categories in column {column.name!r}, received arrays: name its kind, "
                "vector or image"
            )
        return texts_of(column)

    def fit(self, values: NDArray[Any], name: str, stream: Stream | None) -> CategoryFit:
        """Choose the categories that get a corner, the most frequent ones."""
        told = frequent(values)
        if not told:
            raise RecipeError(
                f"expected categories in column {name!r}, at least one of them in "
                f"{FEWEST_OF_A_CATEGORY} rows, received {len(set(values))} different ones in "
                f"{len(values)} rows: leave the column out, or embed its texts"
            )
        codes = _codes(values, told)
        shares = np.bincount(codes, minlength=len(told) + 1) / len(codes)
        return CategoryFit(
            categories=told,
            spread=max(0.0, 1.0 - float((shares**2).sum())),
            others=round(float(shares[-1]), 3),
        )

    def width(self, fit: CategoryFit) -> int:
        """One coordinate less than corners, of which one is for others."""
        return len(fit.categories)

    def encode(
        self, values: NDArray[Any], fit: CategoryFit, name: str, stream: Stream | None
    ) -> Array:
        """Put each row at its category's corner, and spread those of one corner."""
        width = len(fit.categories)
        block = simplex(width)[_codes(values, fit.categories)]
        if stream is None or fit.spread == 0.0:
            return block
        noise = fit.spread * self.noise / (1.0 - self.noise) / width
        return np.asarray(block + np.sqrt(noise) * stream.normal(len(values), width))

    def unknown(self, values: NDArray[Any], fit: CategoryFit) -> float:
        """Return the share of rows without a corner of their own."""
        if not len(values):
            return 0.0
        return float((_codes(values, fit.categories) == len(fit.categories)).mean())


def frequent(values: NDArray[Any]) -> list[str]:
    """Return the most frequent categories of those that enough rows have, by name."""
    most = Counter(values.tolist()).most_common(MOST_CATEGORIES_FITTED)
    return sorted(
        category
        for category, count in most
        if count >= FEWEST_OF_A_CATEGORY and len(category) <= MOST_TEXT
    )


def simplex(width: int) -> Array:
    """Return width + 1 corners at squared distance 2, one a row (Helmert's contrasts)."""
    corners = np.zeros((width + 1, width))
    for column in range(width):
        below = float(column + 1)
        corners[: column + 1, column] = 1.0 / np.sqrt(below * (below + 1.0))
        corners[column + 1, column] = -below / np.sqrt(below * (below + 1.0))
    return corners


def _codes(values: NDArray[Any], categories: list[str]) -> NDArray[np.intp]:
    numbers = {category: number for number, category in enumerate(categories)}
    other = len(categories)
    return np.fromiter(
        (numbers.get(value, other) for value in values), dtype=np.intp, count=len(values)
    )
