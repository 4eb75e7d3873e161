"""The kind `image`: images that are compared pixel by pixel."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from wassay.recipes.columns import Column
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.kind import Kind, KindFit
from wassay.recipes.kinds.vector import VectorFit
from wassay.recipes.limits import MOST_DIMENSIONS, MOST_TEXT
from wassay.recipes.uniforms import Stream

Array = NDArray[np.float64]

_USUAL_RANGES = ((0.0, 1.0), (0.0, 255.0))


class Image(Kind[VectorFit]):
    """An image of a fixed size, small enough to be compared pixel by pixel.

    Embed larger images by a model that both sides have, and use `Vector`.
    """

    schema_type: ClassVar[str] = "list"
    fit_type: ClassVar[type[KindFit]] = VectorFit
    whitened: ClassVar[bool] = False
    kind: Literal["image"] = "image"
    layout: Literal["HW", "CHW", "HWC", ""] = Field(
        default="", description="The axes of one image: height, width and channels."
    )
    channels: Annotated[str, Field(max_length=MOST_TEXT)] = Field(
        default="", description="The order of the channels, such as RGB."
    )
    shape: Annotated[tuple[Annotated[int, Field(gt=0, le=2**16)], ...], Field(max_length=3)] = (
        Field(default=(), description="The size along each axis of the layout.")
    )
    range: tuple[float, float] | None = Field(
        default=None, description="The values that mean black and white."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.range is not None and not self.range[0] < self.range[1]:
            raise ValueError("expected a range whose second value is above its first")
        if self.layout and self.shape and len(self.layout) != len(self.shape):
            raise ValueError(f"expected one size for each axis of {self.layout}")
        return self

    def resolve(self, column: Column) -> Self:
        """Take layout, size and range from the buyer's images (`column`), unless they are given."""
        _require_images(column)
        shape = column.values.shape[1:]
        pixels = int(np.prod(shape))
        if pixels > MOST_DIMENSIONS:
            raise RecipeError(
                f"expected images of at most {MOST_DIMENSIONS:,} values in column {column.name!r}, "
                f"received {pixels:,} ({'×'.join(map(str, shape))}): make them smaller, or embed "
                "them with a model that both sides have"
            )
        changes: dict[str, object] = {"shape": self.shape or shape}
        if not self.layout:
            changes["layout"] = _layout(column.name, shape)
        if self.range is None:
            changes["range"] = _range(column)
        return self.model_copy(update=changes)

    def read(self, column: Column) -> Array:
        """Return the images, after a check of their size and range."""
        _require_images(column)
        shape = column.values.shape[1:]
        if shape != self.shape:
            raise RecipeError(
                f"expected images of {'×'.join(map(str, self.shape))} ({self.layout}) in column "
                f"{column.name!r}, received {'×'.join(map(str, shape))}: resize them, or move "
                "their axes (numpy.moveaxis)"
            )
        low, high = self.range or (0.0, 1.0)
        values = column.values[~column.missing]
        if values.size and (values.min() < low or values.max() > high):
            raise RecipeError(
                f"expected images with values from {low:g} to {high:g} in column {column.name!r}, "
                f"received {values.min():g} to {values.max():g}: scale them"
            )
        return np.asarray(column.values)

    def fit(self, values: Array, name: str, stream: Stream | None) -> VectorFit:
        """Return an empty fit: images need only the centre and scale that every field has."""
        return VectorFit()

    def width(self, fit: VectorFit) -> int:
        """Return the number of values of an image."""
        return int(np.prod(self.shape))

    def encode(self, values: Array, fit: VectorFit, name: str, stream: Stream | None) -> Array:
        """Return each image as a row of values, scaled so that black is 0 and white is 1."""
        low, high = self.range or (0.0, 1.0)
        return np.asarray((values.reshape(len(values), -1) - low) / (high - low))

    def options(self) -> str:
        """Return the layout, channels, size and range in a few words."""
        low, high = self.range or (0.0, 1.0)
        size = "×".join(map(str, self.shape))
        return " ".join(filter(None, (self.layout, self.channels, size, f"{low:g}–{high:g}")))


def _require_images(column: Column) -> None:
    if column.type != "array" or column.values.ndim not in (3, 4):
        received = (
            f"shape {column.values.shape}"
            if column.type == "array"
            else f"a column of {column.type}"
        )
        raise RecipeError(
            f"expected images in column {column.name!r}, an array of shape N×H×W, N×C×H×W or "
            f"N×H×W×C, received {received}: stack them (numpy.stack)"
        )


def _layout(name: str, shape: tuple[int, ...]) -> str:
    if len(shape) == 2:
        return "HW"
    first, last = shape[0] in (1, 3, 4), shape[2] in (1, 3, 4)
    if first == last:
        raise RecipeError(
            f"expected 1, 3 or 4 channels along the first or the last axis in column {name!r}, "
            f"received {'×'.join(map(str, shape))}: name the layout, Image(layout='CHW') or 'HWC'"
        )
    return "CHW" if first else "HWC"


def _range(column: Column) -> tuple[float, float]:
    values = column.values[~column.missing]
    low, high = float(values.min()), float(values.max())
    for darkest, brightest in _USUAL_RANGES:
        # The brightest pixel must reach half of the range: pixels up to 16 hardly mean 0 to 255.
        if low >= darkest and brightest / 2 <= high <= brightest:
            return darkest, brightest
    raise RecipeError(
        f"expected images that fill the range from 0 to 1 or from 0 to 255 in column "
        f"{column.name!r}, received {low:g} to {high:g}: name the range, "
        f"Image(range=({low:g}, {high:g}))"
    )
