"""Contributions: one seller's answer to a request."""

from datetime import datetime
from typing import Literal

from wassay.models.base import Model
from wassay.models.requests import Mode, StoredArray

ContributionState = Literal["draft", "submitted", "declined", "withdrawn"]
ScorePolicy = Literal["none", "ranks", "scores"]


class SweptArray(StoredArray):
    """The measure or cost block that a seller uploaded for one s of the sweep."""

    s: float


class Contribution(Model):
    """One seller's answer: a measure η_ν(s), or a cost block C(s), for every s of the sweep.

    `score_policy` is what the buyer gets to see of the scores of this seller's points.
    `projection_spread` is σ_b = (Σ b_j ‖b_j − γ̄‖²)^½, the one scalar that intervals need.
    """

    id: str
    request_id: str
    account_id: str
    organisation: str
    state: ContributionState
    mode: Mode
    label: str
    listing_id: str | None
    score_policy: ScorePolicy
    projection_spread: float | None
    points: int | None
    arrays: list[SweptArray]
    decline_reason: str | None
    created_at: datetime
    updated_at: datetime
