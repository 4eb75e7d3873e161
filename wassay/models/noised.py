"""Results with noise, which protects each record of a seller by differential privacy."""

from typing import Literal

from wassay.models.base import Model


class NoisedCost(Model):
    """W_2² at one s with Laplace noise of the given `scale`.

    `cost` can be negative because of the noise. `interval` contains the cost without noise, with
    the result's `confidence` as probability.
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
    """The buyer's result of a request with an `epsilon`.

    Before costs were computed, sellers' pushed points were clipped to the ball of `radius` around
    the mean of the buyer's measure. The whole result is ε-differentially private for each seller:
    if any one of the seller's records is replaced by another, no result becomes more than e^ε times
    as likely.
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
