"""One thing that an answer shows, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal[
    "copies-buyer",
    "copies-seller",
    "congruent-sellers",
    "repeats-points",
    "impossible-answer",
    "understated-spread",
    "weightless-points",
    "not-examined",
]


@dataclass(frozen=True)
class Finding:
    """What an answer shows, and how likely that is in honest data.

    Attributes
    ----------
    kind : str
        ``copies-buyer``: the buyer's points lie on the seller's. ``copies-seller``: the points of
        two sellers lie on each other. ``congruent-sellers``: the points of two sellers are as far
        from their mean, all of them; so they are the same up to a rotation, or a reflection, and a
        translation. ``repeats-points``: a seller's points lie on others of their own.
        ``impossible-answer``: no points could have these arrays. ``understated-spread``: σ_ν is
        larger than the seller says. ``weightless-points``: so many have next to no weight that half
        as many, equally weighted, would do. ``not-examined``: sellers are so many that they were
        not compared with each other.
    contribution_id : str or None
        None where it concerns all sellers.
    other_contribution_id : str or None
        The other seller, where it concerns two.
    examined : int
        How many points were looked at.
    found : int
        How many of these show it.
    chance : float or None
        The probability of that many, or more, in honest data; None where honest data of any smooth
        distribution never show it.
    misfit : float or None
        For ``impossible-answer``: how far the worst row is from any that points could have, as a
        share of its size; for ``understated-spread``: the share of σ_ν that was kept back.
    """

    kind: FindingKind
    contribution_id: str | None
    examined: int
    found: int
    other_contribution_id: str | None = None
    chance: float | None = None
    misfit: float | None = None
