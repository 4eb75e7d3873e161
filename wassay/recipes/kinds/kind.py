"""What every kind of field has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from wassay.recipes.columns import Column
from wassay.recipes.limits import LARGEST
from wassay.recipes.uniforms import Stream


class Part(BaseModel):
    """A frozen part of a recipe; unknown members are an error, since they may mean something."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True
    )


Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Positive = Annotated[float, Field(ge=1 / LARGEST, le=LARGEST)]


class KindFit(Part):
    """What is learned of a field's rows."""

    def told(self) -> str:
        """Say in a few words what sellers learn from it."""
        return ""


Fit = TypeVar("Fit", bound=KindFit)


class Kind(Part, ABC, Generic[Fit]):
    """How a column becomes coordinates.

    A kind has public options, which are its members, and a fit: what is learned from the rows.
    Rows whose value is missing never reach `fit` and `encode`.
    """

    schema_type: ClassVar[str]
    """The type of the field in Table Schema's vocabulary."""

    fit_type: ClassVar[type[KindFit]]

    whitened: ClassVar[bool] = True
    """Whether its coordinates are whitened together with those of other fields."""

    missing: Literal["indicator", "refuse"] | None = Field(
        default=None,
        description=(
            "indicator: rows without a value are at the field's centre, and a coordinate says "
            "so; refuse: every row must have a value. By default what the fitted rows need."
        ),
    )

    @property
    def scaled(self) -> bool:
        """Whether coordinates are centred, and scaled so that the field counts as its weight."""
        return True

    def resolve(self, column: Column) -> Self:
        """Return this kind with the options that the fitted column decides."""
        return self

    @abstractmethod
    def read(self, column: Column) -> NDArray[Any]:
        """Return the values of a column, arbitrary where they are missing.

        Raises
        ------
        RecipeError
            If the column holds something else.
        """

    def check(self, column: Column) -> None:
        """Raise unless the column's values are of this kind.

        Raises
        ------
        RecipeError
            If the column holds something else.
        """
        self.read(column)

    @abstractmethod
    def fit(self, values: NDArray[Any], name: str, stream: Stream | None) -> Fit:
        """Learn what the coordinates depend on; `stream` draws jitter, None for none."""

    @abstractmethod
    def width(self, fit: Fit) -> int:
        """Return the number of coordinates."""

    @abstractmethod
    def encode(
        self, values: NDArray[Any], fit: Fit, name: str, stream: Stream | None
    ) -> NDArray[Any]:
        """Return the coordinates, shape (n, width)."""

    def options(self) -> str:
        """Name the options in a few words, for the table that people read."""
        return ""
