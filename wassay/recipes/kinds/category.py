"""The kind `category`: categories without an order, encoded as corners of a regular simplex."""

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
from wassay.recipes.whitening import ordered_product
from wassay.transport.pushing.normal_quantile import exp, log, normal_quantile

Array = NDArray[np.float64]

_SMALLEST_RATE = 0.01
"""The smallest rate in `race_scores`, so that a category without rows has a score too."""


class CategoryFit(KindFit):
    """The parameters of a column of categories."""

    of: Literal["categories"] = "categories"
    categories: Annotated[
        list[Annotated[str, Field(max_length=MOST_TEXT)]],
        Field(min_length=1, max_length=MOST_CATEGORIES),
    ] = Field(description="The categories with a corner of their own; all others share one more.")
    shares: Annotated[
        list[Annotated[float, Field(ge=0, le=1)]],
        Field(min_length=2, max_length=MOST_CATEGORIES + 1),
    ] = Field(description="The share of rows in each category, then in all others together.")

    @model_validator(mode="after")
    def _different(self) -> CategoryFit:
        if len(set(self.categories)) < len(self.categories):
            raise ValueError("expected different categories")
        if len(self.shares) != len(self.categories) + 1:
            raise ValueError("expected one share for each category, and one for others")
        return self

    @property
    def others(self) -> float:
        """The share of rows in rare categories; all of these get the last corner."""
        return self.shares[-1]

    def disclosed(self) -> str:
        """Say in a few words that sellers learn the categories and their shares."""
        return f"categories that at least {FEWEST_OF_A_CATEGORY} rows have, and their shares"


class Category(Kind[CategoryFit]):
    """One of several categories without an order.

    Each category becomes a corner of a regular simplex; unknown and rare ones share one more.
    Jitter spreads rows around their corners.
    """

    schema_type: ClassVar[str] = "string"
    fit_type: ClassVar[type[KindFit]] = CategoryFit
    kind: Literal["category"] = "category"

    def read(self, column: Column) -> NDArray[Any]:
        """Return the categories as text."""
        return texts_of(column)

    def fit(self, values: NDArray[Any], name: str, stream: Stream | None) -> CategoryFit:
        """Choose the categories that get a corner of their own, and compute their shares.

        Raises
        ------
        RecipeError
            If no category has at least five rows.
        """
        common = frequent(values)
        if not common:
            raise RecipeError(
                f"expected categories in column {name!r}, at least one of them in "
                f"{FEWEST_OF_A_CATEGORY} rows, received {len(set(values))} different ones in "
                f"{len(values)} rows: leave the column out, or embed its texts"
            )
        codes = _codes(values, common)
        shares = np.bincount(codes, minlength=len(common) + 1) / len(codes)
        return CategoryFit(categories=common, shares=np.round(shares, 3).tolist())

    def width(self, fit: CategoryFit) -> int:
        """Return the number of coordinates: one less than the number of corners."""
        return len(fit.categories)

    def encode(
        self, values: NDArray[Any], fit: CategoryFit, name: str, stream: Stream | None
    ) -> Array:
        """Return the corner of each row's category, spread by the jitter if there is any."""
        codes, corners = _codes(values, fit.categories), simplex(len(fit.categories))
        if stream is None or 1.0 in fit.shares:
            return corners[codes]
        return ordered_product(race_scores(codes, fit.shares, stream), corners)

    def unknown(self, values: NDArray[Any], fit: CategoryFit) -> NDArray[np.bool_]:
        """Mark the rows whose category has no corner of its own."""
        return np.asarray(_codes(values, fit.categories) == len(fit.categories), dtype=np.bool_)


def frequent(values: NDArray[Any]) -> list[str]:
    """Return the names of the most frequent categories, at most 50, sorted.

    Categories with fewer than five rows, or with names too long for a recipe, are left out.
    """
    most = Counter(values.tolist()).most_common(MOST_CATEGORIES_FITTED)
    return sorted(
        category
        for category, count in most
        if count >= FEWEST_OF_A_CATEGORY and len(category) <= MOST_TEXT
    )


def race_scores(codes: NDArray[np.intp], shares: list[float], stream: Stream) -> Array:
    """Return a normal score for each row and each category.

    The score of the row's own category tends to be the highest.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        The index of each row's category.
    shares : list of float
        The share of each of the k categories.

    Returns
    -------
    ndarray, shape (n, k)
    """
    rates = np.maximum(shares, _SMALLEST_RATE)
    total = 0.0
    for rate in rates.tolist():
        total += rate
    # In a race, each category arrives after an exponential time whose rate is its share: it wins as
    # often as its share says. Draw arrival times given that the row's category wins. The rate of
    # the winner's time is the sum of all rates; the others need a further exponential time. If the
    # rows have the given shares, all times are independent, and so are the scores: the normal
    # quantiles of the probability of a longer time. So points spread alike in every direction.
    first = log(stream.uniform()) / total
    later = stream.uniforms(len(rates))
    later[np.arange(len(codes)), codes] = 1.0
    levels = exp(first[:, None] * rates) * later
    return normal_quantile(np.minimum(levels, 1.0 - 2.0**-53).ravel()).reshape(levels.shape)


def simplex(width: int) -> Array:
    """Return the corners of a simplex whose edges have length √2, shape (width + 1, width)."""
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
