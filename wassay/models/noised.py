"""Results with noise, which protects each record of a seller by differential privacy."""

from typing import Literal

from pydantic import Field

from wassay.models.base import Model
from wassay.models.descriptions import (
    BUYER_POINTS,
    ORDER,
    SELLER,
    SELLER_LABEL,
    SELLER_POINTS,
    SELLER_WEIGHT,
    SOFTWARE,
    SWEEP,
    S,
)


class NoisedCost(Model):
    """W_2² at one s, with Laplace noise."""

    s: float = Field(description=S)
    cost: float = Field(description="The cost with noise, which can be negative.")
    scale: float = Field(description="The scale of the Laplace noise.")
    interval: tuple[float, float] = Field(
        description="An interval that contains the cost without noise, with the result's "
        "`confidence` as probability."
    )


class NoisedSeller(Model):
    """The result of an evaluation with noise for one seller."""

    contribution_id: str
    account_id: str = Field(description=SELLER)
    label: str = Field(description=SELLER_LABEL)
    points: int = Field(description=SELLER_POINTS)
    weight: float = Field(description=SELLER_WEIGHT)
    singleton: list[NoisedCost] = Field(description="The cost of this seller alone at each s.")


class NoisedResult(Model):
    """The buyer's result of a request with an `epsilon`.

    The whole result is ε-differentially private for each seller: if any one of the seller's records
    is replaced by another, no result becomes more than e^ε times as likely.
    """

    evaluation_id: str
    request_id: str
    order: Literal[2] = Field(description=ORDER)
    sweep: list[float] = Field(description=SWEEP)
    buyer_points: int = Field(description=BUYER_POINTS)
    epsilon: float = Field(description="The ε of the whole result, for each record of a seller.")
    radius: float = Field(
        description="The radius of the ball around the mean of the buyer's measure to which "
        "sellers' pushed points were clipped before costs were computed."
    )
    confidence: float = Field(description="The probability with which each interval holds.")
    grand_coalition: list[NoisedCost] = Field(
        description="The cost of all sellers together at each s."
    )
    sellers: list[NoisedSeller]
    software: dict[str, str] = Field(description=SOFTWARE)
