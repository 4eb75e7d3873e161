"""The kind `boolean`: fields that are true or false."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from wassay.recipes.binary_scores import binary_scores
from wassay.recipes.columns import Column
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.kinds.kind import Kind, KindFit
from wassay.recipes.uniforms import Stream

_TEXTS = {"true": 1.0, "yes": 1.0, "1": 1.0, "false": 0.0, "no": 0.0, "0": 0.0}


class BooleanFit(KindFit):
    """The parameter of a column of booleans."""

    of: Literal["share"] = "share"
    share: Annotated[float, Field(ge=0, le=1, description="The share of rows that are true.")]

    def disclosed(self) -> str:
        """Say in a few words that sellers learn the share of true rows."""
        return "the shares of true"


class Boolean(Kind[BooleanFit]):
    """A value that is true or false."""

    schema_type: ClassVar[str] = "boolean"
    fit_type: ClassVar[type[KindFit]] = BooleanFit
    kind: Literal["boolean"] = "boolean"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return 1 for true and 0 for false; yes and no, and the numbers 1 and 0, are read too."""
        values = column.values
        if column.type == "text":
            values = np.array(
                [_TEXTS.get(str(value).strip().lower(), np.nan) for value in column.values]
            )
        elif column.type not in ("boolean", "integer", "number", "empty"):
            raise RecipeError(
                f"expected true or false in column {column.name!r}, received {column.type}: "
                "convert the column"
            )
        odd = ~column.missing & ~np.isin(values, (0.0, 1.0))
        if odd.any():
            raise UnreadableError(
                f"expected true or false in column {column.name!r}, received "
                f"{column.values[int(np.argmax(odd))]!r}: convert the column",
                odd,
            )
        return values

    def fit(self, values: NDArray[np.float64], name: str, stream: Stream | None) -> BooleanFit:
        """Compute the share of rows that are true."""
        return BooleanFit(share=round(float(values.mean()), 3) if len(values) else 0.5)

    def width(self, fit: BooleanFit) -> int:
        """Return 1, the number of coordinates."""
        return 1

    def encode(
        self, values: NDArray[np.float64], fit: BooleanFit, name: str, stream: Stream | None
    ) -> NDArray[np.float64]:
        """Return a normal score for each row, higher for true than for false."""
        return binary_scores(values == 1.0, fit.share, stream)[:, None]
