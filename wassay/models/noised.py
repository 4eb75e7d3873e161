"""Results with noise: what one record of a seller can change is hidden, with a stated bound."""

from typing import Literal

from wassay.models.base import Model


class NoisedCost(Model):
    """W_2² at one s, with Laplace noise of this scale added; it may be negative.

    `interval` contains the value without noise with the result's `confidence`.
    """

    s: float
    cost: float
    scale: float
    interval: tuple[float, float]


class NoisedSeller(Model):
    """What an evaluation with noise says of one seller."""

    contribution_id: str
    account_id: str
    label: str
    points: int
    weight: float
    alone: list[NoisedCost]


class NoisedResult(Model):
    """What the buyer reads of a request with `epsilon`, in place of a result.

    Costs are between measures whose points were first pulled into the ball of `radius` around the
    mean of the buyer's measure. For each seller `epsilon` bounds all of it together: no result is
    more than e^ε times as likely with one of the seller's records as with another in its place.
    """

    evaluation_id: str
    request_id: str
    order: Literal[2]
    sweep: list[float]
    buyer_points: int
    epsilon: float
    radius: float
    confidence: float
    together: list[NoisedCost]
    sellers: list[NoisedSeller]
    software: dict[str, str]
