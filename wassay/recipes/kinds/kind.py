"""The interface of all kinds of fields: how a column becomes coordinates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from wassay.recipes.columns import Column
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.limits import LARGEST
from wassay.recipes.uniforms import Stream


class RecipeModel(BaseModel):
    """The base of a recipe's parts, which are frozen and refuse unknown members."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True
    )


Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Positive = Annotated[float, Field(ge=1 / LARGEST, le=LARGEST)]


class KindFit(RecipeModel):
    """The parameters that a kind learns from the buyer's rows."""

    def disclosed(self) -> str:
        """Say in a few words what sellers learn from these parameters."""
        return ""


Fit = TypeVar("Fit", bound=KindFit)


class Kind(RecipeModel, ABC, Generic[Fit]):
    """How a column becomes coordinates: `fit` learns parameters, and `encode` applies them.

    The members of a kind are its options. Both methods get only the values of rows that have one.
    """

    schema_type: ClassVar[str]
    """The type of the field in Table Schema's vocabulary."""

    fit_type: ClassVar[type[KindFit]]

    whitened: ClassVar[bool] = True
    """Whether coordinates of this kind are whitened together with those of other fields."""

    missing: Literal["indicator", "imputed", "refuse"] | None = Field(
        default=None,
        description=(
            "indicator: rows without a value get coordinates drawn from those of other rows or, "
            "without jitter, the field's centre, and an extra coordinate indicates these rows; "
            "imputed: the same without the extra coordinate; "
            "refuse: every row must have a value. The default is refuse if every fitted row has a "
            "value, imputed if another field reveals which rows have none, and else indicator."
        ),
    )

    @property
    def scaled(self) -> bool:
        """Whether coordinates are centred and scaled to the field's weight."""
        return True

    def resolve(self, column: Column) -> Self:
        """Return this kind; take the options that were not given from the buyer's column."""
        return self

    @abstractmethod
    def read(self, column: Column) -> NDArray[Any]:
        """Return the values of a column; rows without a value hold arbitrary ones.

        Raises
        ------
        RecipeError
            If the values are not of this kind.
        """

    def check(self, column: Column) -> None:
        """Check that the column's values are of this kind and can become coordinates.

        Raises
        ------
        RecipeError
            If a value is not of this kind, or cannot become coordinates.
        """
        values, present = self.read(column), ~column.missing
        found = self.unusable(values[present], column.name)
        if found is not None:
            sentence, odd = found
            rows = np.zeros(len(column), dtype=np.bool_)
            rows[present] = odd
            raise UnreadableError(sentence, rows)

    def unusable(self, values: NDArray[Any], name: str) -> tuple[str, NDArray[np.bool_]] | None:
        """Find values that cannot become coordinates; return None if there are none.

        Return a sentence that names the column `name`, and a mask of these values.
        """
        return None

    def require_usable(self, values: NDArray[Any], name: str) -> None:
        """Check that all values of the column `name` can become coordinates.

        Raises
        ------
        RecipeError
            If a value cannot become coordinates.
        """
        found = self.unusable(values, name)
        if found is not None:
            raise RecipeError(found[0])

    @abstractmethod
    def fit(self, values: NDArray[Any], name: str, stream: Stream | None) -> Fit:
        """Learn the parameters from the values of the column `name`; no stream means no jitter."""

    @abstractmethod
    def width(self, fit: Fit) -> int:
        """Return the number of coordinates, without the indicator of missing values."""

    @abstractmethod
    def encode(
        self, values: NDArray[Any], fit: Fit, name: str, stream: Stream | None
    ) -> NDArray[Any]:
        """Return the coordinates of the values, shape (n, width); no stream means no jitter.

        `name` is the column's name, for error messages.
        """

    def options(self) -> str:
        """Return the options in a few words, for `Recipe.describe`."""
        return ""
