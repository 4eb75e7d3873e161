"""An anomaly in a contribution, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal[
    "copies-buyer",
    "copies-seller",
    "congruent-sellers",
    "repeats-points",
    "impossible-contribution",
    "understated-spread",
    "weightless-points",
    "not-examined",
]


@dataclass(frozen=True)
class Finding:
    """An anomaly in a contribution, with its evidence.

    Attributes
    ----------
    kind : str
        - ``copies-buyer``: the buyer's points lie on the seller's.
        - ``copies-seller``: points of two sellers lie on each other.
        - ``congruent-sellers``: the points of two sellers have the same distances from their means,
          so they are probably the same up to an isometry.
        - ``repeats-points``: a seller's points lie on other points of the same seller.
        - ``impossible-contribution``: no points can give the arrays that were sent.
        - ``understated-spread``: σ_ν, the spread of the seller's images b_ν, is larger than the
          seller states.
        - ``weightless-points``: the effective number of points, (Σ w)² / Σ w², is less than half
          their number.
        - ``not-examined``: sellers were not compared with each other, because too many have points
          close to one another's.
    contribution_id : str or None
        The contribution; None if the finding concerns all sellers.
    examined : int
        Number of points tested.
    found : int
        Number of tested points with the anomaly. For ``weightless-points``: the number of points
        minus the effective number.
    other_contribution_id : str or None
        The other contribution, if the finding concerns two.
    chance : float or None
        Probability of `found` or more such points in honest data. None if chance plays no part, or
        if `is_counted` is false.
    share : float or None
        For copies and congruence: the estimated share of the seller's points that coincide with
        others; of two sellers, the smaller share. 0 if too few coincide to tell.
    misfit : float or None
        For ``impossible-contribution``: the largest relative error in the arrays. For
        ``understated-spread``: (σ_ν − stated σ_ν) / σ_ν.
    is_counted : bool
        Whether the buyer may read `found`. If not, the buyer learns only that at least half of each
        seller's points coincide.
    """

    kind: FindingKind
    contribution_id: str | None
    examined: int
    found: int
    other_contribution_id: str | None = None
    chance: float | None = None
    share: float | None = None
    misfit: float | None = None
    is_counted: bool = True
