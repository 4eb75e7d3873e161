"""The base of kinds whose values are numbers: normal scores, and four simpler transforms."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from wassay.recipes.kinds.kind import Kind, KindFit, Number, Positive
from wassay.recipes.limits import LARGEST, MOST_QUANTILES, ROWS_A_QUANTILE
from wassay.recipes.uniforms import Stream
from wassay.transport.pushing.normal_quantile import log, normal_quantile

Array = NDArray[np.float64]
Transform: TypeAlias = Literal["normal-scores", "standard", "robust", "log", "identity"]

_FAR = 4.5
"""A value is far if it is this many standard deviations (by the quantiles) from the median."""

_FEWEST_QUANTILES = 5
"""With fewer quantiles, no value counts as far, because the length of the tails is unknown."""

_FARTHEST = 2.0
"""Scores exceed the score of the outermost quantile by at most this much."""

_IQR_OF_NORMAL = 1.3489795003921634
_TIED = 0.9
"""Values lie on a grid if the number of distinct values is at most this share of the rows."""

_SMALLEST_STEP = 1e-9
"""The smallest step of a grid, as a share of the range; smaller gaps are rounding errors."""


class NumericFit(KindFit):
    """The parameters of a column of numbers or dates."""

    of: Literal["quantiles"] = "quantiles"
    quantiles: Annotated[list[Number], Field(min_length=1, max_length=MOST_QUANTILES)] = Field(
        description=(
            "Quantiles at equidistant levels, ascending; at most one for each ten rows. With "
            "jitter, the levels are those of a random sample."
        )
    )
    centre: Number = Field(
        description="For the transforms standard and robust, the value that becomes 0; for log, "
        "the logarithm of that value."
    )
    spread: Positive = Field(
        description="For the transforms standard and robust, the difference that becomes 1; for "
        "log, the difference of logarithms that does."
    )
    reach: tuple[Number, Number] | None = Field(
        description="The bounds beyond which values are far; null if there are too few rows."
    )
    step: float = Field(
        ge=0,
        le=LARGEST,
        description="The step of the grid that values lie on, which jitter fills; 0 if none.",
    )

    def disclosed(self) -> str:
        """Say in a few words that sellers learn quantiles."""
        return (
            f"up to {MOST_QUANTILES} quantiles of each column of numbers or dates, and how far its "
            "values reach"
        )

    @model_validator(mode="after")
    def _ascending(self) -> NumericFit:
        if any(low > high for low, high in zip(self.quantiles, self.quantiles[1:], strict=False)):
            raise ValueError("expected ascending quantiles")
        return self

    def far(self, values: Array) -> NDArray[np.bool_]:
        """Mark the values far outside of the buyer's; none if `reach` is unknown."""
        if self.reach is None:
            return np.zeros(len(values), dtype=np.bool_)
        low, high = self.reach
        return np.asarray((values < low) | (values > high), dtype=np.bool_)


class Numeric(Kind[NumericFit]):
    """The base of kinds whose values are numbers."""

    fit_type: ClassVar[type[KindFit]] = NumericFit

    transform: Transform = Field(
        default="normal-scores",
        description="How values become a coordinate; their normal scores by default.",
    )

    @property
    def scaled(self) -> bool:
        """Whether coordinates are centred and scaled; False for the transform `identity`."""
        return self.transform != "identity"

    def unusable(self, values: NDArray[Any], name: str) -> tuple[str, NDArray[np.bool_]] | None:
        """Find values that are too large or, for the transform `log`, not positive.

        Return a sentence that says what is wrong, and a mask; None if there are no such values.
        """
        infinite = np.abs(values) > LARGEST
        if infinite.any():
            return (
                f"expected finite numbers below {LARGEST:g} in column {name!r}, received ±inf or "
                f"larger ones in {int(infinite.sum())} of {len(values)} rows: replace them, by "
                "None if they mean that the value is missing",
                infinite,
            )
        if self.transform == "log" and (values <= 0).any():
            return (
                f"expected positive numbers in column {name!r}, of which logarithms are taken, "
                f"received {values.min():g}: replace them, or choose another transform "
                "(normal-scores)",
                values <= 0,
            )
        return None

    def fit(self, values: NDArray[Any], name: str, stream: Stream | None) -> NumericFit:
        """Learn the parameters from the values; without a stream, there is no jitter."""
        step = 0.0 if stream is None else _step(values)
        spread_values = _jittered(values, step, stream)
        count = max(1, min(MOST_QUANTILES, len(values) // ROWS_A_QUANTILE))
        levels = (np.arange(count) + 0.5) / count
        reach = _reach(np.quantile(values, levels))
        if stream is not None:
            # With quantiles at equidistant levels, scores would be nearer to a normal distribution
            # than the coordinates along any other direction, which would reveal the column. With
            # levels of a random sample, scores are no nearer than those of a random sample.
            levels = np.quantile(stream.uniform(), levels)
        centre, spread = self._centre_and_spread(values)
        return NumericFit(
            quantiles=np.sort(np.quantile(spread_values, levels)).tolist(),
            centre=centre,
            spread=spread,
            reach=reach,
            step=step,
        )

    def width(self, fit: NumericFit) -> int:
        """Return 1, the number of coordinates."""
        return 1

    def encode(
        self, values: NDArray[Any], fit: NumericFit, name: str, stream: Stream | None
    ) -> Array:
        """Return one coordinate of each value, shape (n, 1).

        A stream adds jitter, except for the transforms `log` and `identity`.
        """
        if self.transform == "identity":
            return values[:, None]
        if self.transform == "log":
            # No jitter: it could make small values negative.
            return ((log(values) - fit.centre) / fit.spread)[:, None]
        jittered = _jittered(values, fit.step, stream)
        if self.transform == "normal-scores":
            return normal_scores(jittered, fit.quantiles, stream)[:, None]
        return ((jittered - fit.centre) / fit.spread)[:, None]

    def options(self) -> str:
        """Return the name of the transform."""
        return self.transform

    def _centre_and_spread(self, values: Array) -> tuple[float, float]:
        if self.transform in ("normal-scores", "identity"):
            return 0.0, 1.0
        if self.transform == "robust":
            low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
            return float(middle), _positive((high - low) / _IQR_OF_NORMAL)
        shown = log(values) if self.transform == "log" else values
        return float(shown.mean()), _positive(shown.std())


def normal_scores(values: Array, quantiles: list[float], stream: Stream | None) -> Array:
    """Return the normal scores of values, by their levels among the quantiles, shape (n,).

    A stream spreads the scores of values that equal several quantiles.
    """
    knots = np.array(quantiles)
    count = len(knots)
    below, not_above = np.searchsorted(knots, values), np.searchsorted(knots, values, "right")
    tied = not_above - below
    chance = np.full(len(values), 0.5) if stream is None else stream.uniform()
    # A value that equals only one quantile gets the level of that quantile, without jitter.
    chance = np.where(tied > 1, chance, 0.5)
    # Levels are from 0 to 1, and linear between quantiles.
    levels = (below + chance * tied) / count
    between = (tied == 0) & (below > 0) & (below < count)
    left, right = knots[below[between] - 1], knots[below[between]]
    levels[between] = (below[between] - 0.5 + (values[between] - left) / (right - left)) / count
    beyond_low, beyond_high = values < knots[0], values > knots[-1]
    levels[beyond_low], levels[beyond_high] = 0.5 / count, 1.0 - 0.5 / count
    constant = bool(knots[0] == knots[-1])
    # The values of a constant column all get the score 0.
    scores = np.zeros(len(values)) if constant else normal_quantile(levels)
    # Beyond the quantiles, scores first follow the line through the median and the outermost
    # quantile, and then flatten.
    low, high = _tail_scales(knots, constant)
    scores[beyond_low] -= _flattened((knots[0] - values[beyond_low]) / low)
    scores[beyond_high] += _flattened((values[beyond_high] - knots[-1]) / high)
    return scores


def _tail_scales(knots: Array, constant: bool) -> tuple[float, float]:
    """Return the change in value that changes a score by 1, below and above the quantiles.

    `knots` are the quantiles; `constant` states that all of them are equal.
    """
    middle = float(knots[(len(knots) - 1) // 2] + knots[len(knots) // 2]) / 2
    if constant:
        return (abs(middle) or 1.0,) * 2
    reach = float(normal_quantile(np.array([1.0 - 0.5 / len(knots)]))[0]) or 1.0
    low, high = (middle - float(knots[0])) / reach, (float(knots[-1]) - middle) / reach
    # If all quantiles of a side equal the median, use the scale of the other side.
    return low or high, high or low


def _reach(knots: Array) -> tuple[float, float] | None:
    """Return two bounds between which nearly all values lie if they are normally distributed.

    The bounds come from the quantiles, `knots`; None if these are too few.
    """
    if len(knots) < _FEWEST_QUANTILES:
        return None
    outermost = float(normal_quantile(np.array([1.0 - 0.5 / len(knots)]))[0])
    wider = max(1.5, _FAR / outermost)
    middle = float(np.median(knots))
    low, high = middle - wider * (middle - knots[0]), middle + wider * (knots[-1] - middle)
    return max(-LARGEST, float(low)), min(LARGEST, float(high))


def _flattened(distance: Array) -> Array:
    # d / (1 + d / F), written so that large distances do not overflow.
    return _FARTHEST - _FARTHEST / (1.0 + distance / _FARTHEST)


def _jittered(values: Array, step: float, stream: Stream | None) -> Array:
    if stream is None or step == 0.0:
        return values
    return values + (stream.uniform() - 0.5) * step


def _step(values: Array) -> float:
    """Return the smallest gap between different values: the step of the grid that values lie on.

    0 if all values are equal, or nearly all differ.
    """
    distinct = np.unique(values)
    if len(distinct) < 2 or len(distinct) > _TIED * len(values):
        return 0.0
    gaps = np.diff(distinct)
    # Smaller gaps are rounding errors.
    smallest = _SMALLEST_STEP * (distinct[-1] - distinct[0])
    return float(gaps[gaps > smallest].min())


def _positive(spread: float) -> float:
    return float(spread) if spread > 0 else 1.0
