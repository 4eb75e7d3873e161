"""The result of an evaluation, as the buyer reads it."""

from typing import Literal

from pydantic import Field

from wassay.models.base import Model
from wassay.models.curves import Certificate, Curve
from wassay.models.descriptions import (
    BUYER_POINTS,
    ORDER,
    PROJECTED_FROM,
    SELLER,
    SELLER_LABEL,
    SELLER_POINTS,
    SELLER_WEIGHT,
    SOFTWARE,
    SWEEP,
    S,
)
from wassay.models.requests import Order

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
ScoresShown = Literal["none", "noisiest", "ranks", "scores"]


class ResampledDistances(Model):
    """Squared distances W_2² between random parts of the buyer's and of a seller's points.

    The distances tell how large a distance chance alone can give (`wassay.transport.judge`).
    `within_buyer`, `buyer_variance`, `chance_deviation` and `chance_mean_variance` hold for points
    pushed by t0: divide them by (1 − t0)² for the raw points.
    """

    parts: int = Field(description="The number of parts of each side.")
    part_points: int = Field(
        description="The number of points in each part. Points are drawn in proportion to their "
        "weights, and all points of a part count alike."
    )
    between: list[float] = Field(
        description="The mean W_2² between a part of the buyer and a part of the seller, at each s "
        "of the sweep. Evaluate the quadratic through these values at t0."
    )
    within_buyer: float = Field(description="The mean W_2² between two parts of the buyer.")
    within_seller: float = Field(
        description="The mean W_2² between two parts of the seller's raw points."
    )
    buyer_variance: float = Field(description="The total variance of the buyer's points.")
    chance_deviation: float = Field(
        description="The standard deviation that the excess has by chance alone. The excess is "
        "`between` at t0 minus the mean of W_2² within the two sides."
    )
    chance_skewness: float = Field(description="The skewness that the excess has by chance alone.")
    chance_mean_variance: float = Field(
        description="The variance that the difference of the two sides' means has by chance alone, "
        "in the direction in which this variance is largest."
    )
    largest_gap: float = Field(
        description="The largest gap between the certified bounds of a cost, divided by the mean "
        "cost of a pair of points."
    )


class SellerResult(Model):
    """An evaluation's result for one seller."""

    contribution_id: str
    account_id: str = Field(description=SELLER)
    label: str = Field(description=SELLER_LABEL)
    mode: str = Field(description="The mode of the contribution.")
    verified: bool = Field(
        description="False in mode `scalar`, in which the curve is only the seller's claim."
    )
    points: int = Field(description=SELLER_POINTS)
    weight: float = Field(description=SELLER_WEIGHT)
    projection_spread: float | None = Field(
        description="How far the images of the seller's points lie from the mean of the reference, "
        "as `Contribution` defines it. Null if the seller did not state it."
    )
    scores_shown: ScoresShown = Field(
        description="What the buyer may read of the scores of this seller's points."
    )
    singleton: Curve = Field(description="The distance curve of this seller alone.")
    leave_one_out: Curve | None = Field(
        description="The distance curve of all other sellers together. Null if there are no "
        "others, or if it was not computed."
    )
    relative_scores: list[float] = Field(
        description="A number for each s of the sweep, from 0 for the farthest seller to 1 for the "
        "nearest. Sellers who tie have equal numbers."
    )
    resampled: ResampledDistances | None = Field(
        default=None,
        description="Distances between random parts, which tell how much chance alone gives. Null "
        "if they were not computed.",
    )
    not_resampled: str | None = Field(
        default=None, description="A sentence that says why `resampled` is null."
    )


class Finding(Model):
    """An anomaly of a contribution. The contribution is evaluated in spite of it.

    The kinds are:

    - `copies-buyer`: points of the seller are copies of the buyer's points.
    - `copies-seller`: points of two sellers are copies of each other.
    - `congruent-sellers`: the points of two sellers are the same up to an isometry.
    - `repeats-points`: points of a seller are copies of other points of the same seller.
    - `impossible-contribution`: pushing points cannot give the arrays that the seller uploaded.
    - `understated-spread`: the seller's `projection_spread` is larger than the seller states, so
      intervals may be too narrow.
    - `weightless-points`: many points have negligible weight, but still count as points.
    - `not-examined`: sellers were not compared with each other, because too many have
      points close to one another's.

    The first three kinds need consent: all sellers concerned must allow comparison. Without it, a
    finding is reported only if at least half of each seller's points show it. Then `found` and
    `chance` are null.
    """

    kind: FindingKind
    contribution_id: str | None = Field(description="Null if the finding concerns all sellers.")
    other_contribution_id: str | None = Field(
        description="The second contribution. Null unless the finding concerns two."
    )
    detail: str = Field(description="A sentence for people.")
    examined: int = Field(description="The number of points that were examined.")
    found: int | None = Field(
        description="The number of examined points that show the anomaly. Null if the buyer may "
        "read only that at least half of each seller's points do."
    )
    chance: float | None = Field(
        description="The probability that honest data show as many. Null if honest data show none, "
        "and if `found` is null."
    )
    misfit: float | None = Field(
        description="For an impossible contribution, the relative error of the worst row. For an "
        "understated spread, the share by which it is understated. Otherwise null."
    )


class GroupCoverage(Model):
    """The share of the buyer's points that at least one seller of a group covers."""

    contribution_ids: list[str] = Field(description="The contributions of the group.")
    shares: list[float] = Field(
        description="The covered share of the buyer's points, for each s in `SweptCoverage.sweep`."
    )
    expected: float = Field(
        description=(
            "The share that the group would cover if its sellers' points were drawn from the "
            "buyer's own population."
        )
    )


class SweptCoverage(Model):
    """The share of the buyer's points that lie near points of sellers, at several s.

    A seller covers a point of the buyer if at least three of the seller's points are as near to it
    as the buyer's ten nearest other points. To estimate the coverage of the raw points, interpolate
    linearly in ln(1 − s) to s = t0.
    """

    sweep: list[float] = Field(description="The values of s, ascending.")
    examined: int = Field(description="The number of the buyer's points that were examined.")
    groups: list[GroupCoverage]


class CoalitionResult(Model):
    """The distance curve of a requested coalition of contributions."""

    contribution_ids: list[str] = Field(description="The coalition's contributions.")
    curve: Curve


class PairResult(Model):
    """The distance between the points of two sellers who allow comparison, pushed to the same s."""

    contribution_ids: list[str] = Field(description="The two contributions.")
    s: float = Field(description=S)
    distance: float = Field(
        description="W_p between the pushed points. Divided by 1 − s, it estimates the distance of "
        "the raw points. The error is at most s/(1 − s) times the sum of the two sellers' "
        "projection spreads."
    )
    rounding: float = Field(description="A bound of the float64 error of the cost W_p^p.")
    certificate: Certificate


class Timing(Model):
    """How long an evaluation took."""

    waiting: float = Field(description="The seconds from its creation to its beginning.")
    solving: float = Field(description="The seconds from its beginning to its result.")


class Result(Model):
    """The buyer's result of an evaluation.

    It has distance curves of each seller, of all sellers together, and of the requested coalitions.
    """

    evaluation_id: str
    request_id: str
    order: Order = Field(description=ORDER)
    projected_from: int | None = Field(
        default=None,
        description=f"{PROJECTED_FROM} The coverage is that of the projected points.",
    )
    sweep: list[float] = Field(description=SWEEP)
    buyer_points: int = Field(description=BUYER_POINTS)
    grand_coalition: Curve | None = Field(
        description="The distance curve of all sellers together. Null in mode `scalar`."
    )
    sellers: list[SellerResult] = Field(description="The result for each contribution.")
    coalitions: list[CoalitionResult] = Field(
        description="The curves of the requested coalitions, and of those that permutations of "
        "sellers need."
    )
    pairs: list[PairResult] = Field(description="The requested distances between two sellers.")
    findings: list[Finding] = Field(description="The anomalies of the contributions.")
    coverage: SweptCoverage | None = Field(
        default=None,
        description="Which share of the buyer's points the sellers cover. Null if no points could "
        "be compared, which needs the mode `measure` and a reference of one point.",
    )
    software: dict[str, str] = Field(description=SOFTWARE)
    timing: Timing
