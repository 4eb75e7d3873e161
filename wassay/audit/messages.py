"""The messages that buyers and sellers send, and that the audit attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wassay.transport import FedWadRound, Measure, Power, TransportError

OwnScores = Literal["none", "noisiest", "scores"]


@dataclass(frozen=True, eq=False)
class SellerMeasures:
    """The message of mode `measure`: the seller's pushed points at every s of the sweep.

    Attributes
    ----------
    measures : mapping of s to Measure
    keeps_order : bool
        Whether rows are in the order of the sender's table.

    Raises
    ------
    TransportError
        If there is no measure, or the measures differ in their number of records.
    """

    measures: Mapping[float, Measure]
    keeps_order: bool = False

    def __post_init__(self) -> None:
        _require_sweep(self.measures, {len(m.points) for m in self.measures.values()})

    @property
    def size(self) -> int:
        """Number of records."""
        return next(iter(self.measures.values())).size

    @property
    def words(self) -> str:
        """A phrase for what is sent, such as "measures at s = 0.25, 0.5"."""
        return f"measures at s = {_sweep_in_words(self.measures)}"

    def only(self, rows: NDArray[np.bool_]) -> SellerMeasures:
        """Return the part of the message that belongs to some of the records.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
            The records to keep.

        Returns
        -------
        SellerMeasures
        """
        return replace(self, measures={s: _rows(m, rows) for s, m in self.measures.items()})


@dataclass(frozen=True, eq=False)
class SellerCostBlocks:
    """The message of mode `cost-block`: the cost block at every s of the sweep.

    Attributes
    ----------
    blocks : mapping of s to ndarray, shape (n, m)
        Costs ‖x − y‖^p between the pushed points of seller and buyer.
    buyer : Measure
        The buyer's pushed points, which the service has too.
    order : {1, 2}
        The exponent p of the costs.
    classes : ndarray of int, shape (m,), optional
        The classes of the buyer's points; None unless costs include distances between classes.
    keeps_order : bool
        Whether rows are in the order of the sender's table.

    Raises
    ------
    TransportError
        If there is no block, or the blocks differ in their number of records.
    """

    blocks: Mapping[float, NDArray[np.float64]]
    buyer: Measure
    order: Power = 2
    classes: NDArray[np.intp] | None = None
    keeps_order: bool = False

    def __post_init__(self) -> None:
        _require_sweep(self.blocks, {len(block) for block in self.blocks.values()})

    @property
    def size(self) -> int:
        """Number of records."""
        return len(next(iter(self.blocks.values())))

    @property
    def words(self) -> str:
        """A phrase for what is sent, such as "cost blocks at s = 0.25, 0.5"."""
        return f"cost blocks at s = {_sweep_in_words(self.blocks)}"

    def only(self, rows: NDArray[np.bool_]) -> SellerCostBlocks:
        """Return the part of the message that belongs to some of the records.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
            The records to keep.

        Returns
        -------
        SellerCostBlocks
        """
        return replace(self, blocks={s: block[rows] for s, block in self.blocks.items()})


@dataclass(frozen=True, eq=False)
class BuyerMeasure:
    """The message of a request: the buyer's points, pushed by t0. t0 itself is not sent.

    Attributes
    ----------
    measure : Measure
        The buyer's pushed points.
    shown_to_sellers : bool
        Whether accepted sellers may download the pushed points.
    own_scores : {'none', 'noisiest', 'scores'}
        What sellers see of the scores of their own points: nothing, which points are the noisiest,
        or all scores.
    push : float, optional
        t0, which the audit uses if the reference has several points. Without it, the audit
        estimates t0 as a receiver does, which takes a hundred times as long.
    keeps_order : bool
        Whether rows are in the order of the sender's table.
    """

    measure: Measure
    shown_to_sellers: bool = False
    own_scores: OwnScores = "noisiest"
    push: float | None = field(default=None, repr=False)
    keeps_order: bool = False

    @property
    def size(self) -> int:
        """Number of records."""
        return self.measure.size

    @property
    def words(self) -> str:
        """A phrase for what is sent."""
        return "a measure at a private t0"

    def only(self, rows: NDArray[np.bool_]) -> BuyerMeasure:
        """Return the part of the message that belongs to some of the records.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
            The records to keep.

        Returns
        -------
        BuyerMeasure
        """
        return replace(self, measure=_rows(self.measure, rows))


@dataclass(frozen=True)
class SellerScalars:
    """The message of mode `scalar`: a few numbers for each s, on all records together.

    Attributes
    ----------
    size : int
        Number of records, which is sent too.
    """

    size: int

    @property
    def words(self) -> str:
        """A phrase for what is sent."""
        return "a few numbers for each s, on all records together"

    @property
    def keeps_order(self) -> bool:
        """False: no row is sent."""
        return False

    def only(self, rows: NDArray[np.bool_]) -> SellerScalars:
        """Return the message unchanged, as no number belongs to a single record.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
            Ignored.

        Returns
        -------
        SellerScalars
        """
        return self


@dataclass(frozen=True, eq=False)
class FedWadMessages:
    """The messages of one party in one round of FedWad (see `wassay.transport.fedwad_rounds`).

    Attributes
    ----------
    round : FedWadRound
        The round, with the messages of both parties.
    second : bool
        Whether the sender is the second party of the round.
    receiver : Measure, optional
        The other party's records. The attack by reflection runs only if these are given.
    rows : ndarray of int, optional
        The indices of the records to reconstruct; all by default.
    """

    round: FedWadRound
    second: bool = False
    receiver: Measure | None = field(default=None, repr=False)
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        if not self.rows.size:
            object.__setattr__(self, "rows", np.arange(self.share.size))

    @property
    def share(self) -> Measure:
        """The measure η that is sent, in the order of the sender's records."""
        return (self.round.second if self.second else self.round.first).measure

    @property
    def size(self) -> int:
        """Number of records to reconstruct."""
        return len(self.rows)

    @property
    def words(self) -> str:
        """A phrase for what is sent."""
        return "a round of FedWad"

    @property
    def keeps_order(self) -> bool:
        """True: a round keeps the order of the records."""
        return True

    def only(self, rows: NDArray[np.bool_]) -> FedWadMessages:
        """Return the whole message, with fewer records to reconstruct.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
            The records to reconstruct.

        Returns
        -------
        FedWadMessages
        """
        return replace(self, rows=self.rows[rows])


Arrays = SellerMeasures | SellerCostBlocks | BuyerMeasure
Sent = Arrays | SellerScalars | FedWadMessages


def _require_sweep(arrays: Mapping[float, object], sizes: set[int]) -> None:
    if len(sizes) != 1:
        raise TransportError(
            "expected one array for each s, all with the same number of records, received "
            f"s = {sorted(arrays)} with {sorted(sizes)} records: make them of the same records"
        )


def _rows(measure: Measure, rows: NDArray[np.bool_]) -> Measure:
    weights = measure.weights[rows]
    return Measure(measure.points[rows], weights / weights.sum())


def _sweep_in_words(arrays: Mapping[float, object]) -> str:
    return ", ".join(f"{s:g}" for s in sorted(arrays))
