"""Results with differential privacy for each record of a seller."""

from typing import Literal

from wassay.models.base import Model


class NoisedCost(Model):
    """W_2² at one s plus Laplace noise of the given scale; it may be negative.

    `interval` contains the value without noise with the result's `confidence`.
    """

    s: float
    cost: float
    scale: float
    interval: tuple[float, float]


class NoisedSeller(Model):
    """The result of an evaluation with noise for one seller."""

    contribution_id: str
    account_id: str
    label: str
    points: int
    weight: float
    singleton: list[NoisedCost]


class NoisedResult(Model):
    """The buyer's result of a request with `epsilon`.

    Costs are between measures whose points were clipped to the ball of `radius` around the mean of
    the buyer's measure. The whole result is ε-differentially private for each seller: it is at most
    e^ε times as likely with one of the seller's records as with any other in its place.
    """

    evaluation_id: str
    request_id: str
    order: Literal[2]
    sweep: list[float]
    buyer_points: int
    epsilon: float
    radius: float
    confidence: float
    grand_coalition: list[NoisedCost]
    sellers: list[NoisedSeller]
    software: dict[str, str]
