"""The three kinds of arrays that leave a party's process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wassay.transport import Measure, Power, TransportError

OwnScores = Literal["none", "noisiest", "scores"]


@dataclass(frozen=True, eq=False)
class SellerMeasures:
    """η_ν(s) for every s of the sweep, as mode `measure` uploads them."""

    measures: Mapping[float, Measure]

    def __post_init__(self) -> None:
        _require_sweep(self.measures, {len(m.points) for m in self.measures.values()})

    @property
    def size(self) -> int:
        """Number of records."""
        return next(iter(self.measures.values())).size

    @property
    def words(self) -> str:
        """What is about to be sent."""
        return f"measures at s = {_listed(self.measures)}"

    def rows(self, chosen: NDArray[np.bool_]) -> SellerMeasures:
        """The same of some records only."""
        return SellerMeasures({s: _rows(m, chosen) for s, m in self.measures.items()})


@dataclass(frozen=True, eq=False)
class SellerCostBlocks:
    """C(s) for every s of the sweep, as mode `cost-block` uploads them.

    Attributes
    ----------
    blocks : mapping of s to ndarray, shape (n, m)
    buyer : Measure
        η_μ(t0) as it was downloaded; the service has it too.
    order : {1, 2}
        p of the costs.
    classes : ndarray of int, shape (m,), optional
        Where the costs also hold the distances of classes: those of the buyer's points.
    """

    blocks: Mapping[float, NDArray[np.float64]]
    buyer: Measure
    order: Power = 2
    classes: NDArray[np.intp] | None = None

    def __post_init__(self) -> None:
        _require_sweep(self.blocks, {len(block) for block in self.blocks.values()})

    @property
    def size(self) -> int:
        """Number of records."""
        return len(next(iter(self.blocks.values())))

    @property
    def words(self) -> str:
        """What is about to be sent."""
        return f"cost blocks at s = {_listed(self.blocks)}"

    def rows(self, chosen: NDArray[np.bool_]) -> SellerCostBlocks:
        """The same of some records only."""
        return replace(self, blocks={s: block[chosen] for s, block in self.blocks.items()})


@dataclass(frozen=True, eq=False)
class BuyerMeasure:
    """η_μ(t0), as a request uploads it; t0 itself stays.

    Attributes
    ----------
    measure : Measure
    shown_to_sellers : bool
        Whether accepted sellers may download it, which mode `cost-block` needs.
    own_scores : {'none', 'noisiest', 'scores'}
        What sellers see of the scores of their own points: none where answers carry noise, and
        scores where the request reveals them.
    push : float, optional
        t0, where receivers are to be taken to guess it: to estimate it as they would takes a
        hundred times as long. It is not sent.
    """

    measure: Measure
    shown_to_sellers: bool = False
    own_scores: OwnScores = "noisiest"
    push: float | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """Number of records."""
        return self.measure.size

    @property
    def words(self) -> str:
        """What is about to be sent."""
        return "a measure at a private t0"

    def rows(self, chosen: NDArray[np.bool_]) -> BuyerMeasure:
        """The same of some records only."""
        return replace(self, measure=_rows(self.measure, chosen))


@dataclass(frozen=True)
class SellerScalars:
    """A few numbers for each s, as mode `scalar` sends them: nothing of a single record.

    Attributes
    ----------
    size : int
        Number of records, which is sent too.
    """

    size: int

    @property
    def words(self) -> str:
        """What is about to be sent."""
        return "the numbers of a sweep that was solved here"


Arrays = SellerMeasures | SellerCostBlocks | BuyerMeasure
Sent = Arrays | SellerScalars


def _require_sweep(arrays: Mapping[float, object], sizes: set[int]) -> None:
    if len(sizes) != 1:
        raise TransportError(
            "a message has one array for each s, all with the same number of records, got "
            f"s = {sorted(arrays)} with {sorted(sizes)} records"
        )


def _rows(measure: Measure, chosen: NDArray[np.bool_]) -> Measure:
    weights = measure.weights[chosen]
    return Measure(measure.points[chosen], weights / weights.sum())


def _listed(arrays: Mapping[float, object]) -> str:
    return ", ".join(f"{s:g}" for s in sorted(arrays))
