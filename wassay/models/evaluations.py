"""Evaluations, which compute the result of a request, and their results."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model, Problem
from wassay.models.requests import Order
from wassay.tabular import Columns, Tabular

EvaluationState = Literal["waiting", "running", "succeeded", "failed", "cancelled"]
SellerWeighting = Literal["points", "equal", "given"]
ScoresShown = Literal["none", "noisiest", "ranks", "scores"]
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

MAX_COALITIONS = 5_000
"""The largest number of coalitions in an evaluation, including those of random permutations."""


class Progress(Model):
    """The number of transport problems that are solved, and the number of all."""

    done: int
    total: int


class Evaluation(Listed):
    """The computation of a request's result from a fixed set of contributions.

    `reason` says in words why the evaluation waits, has stalled, failed or was cancelled. Only the
    buyer can read why it failed, which `problem` also contains. If `epsilon` is set, the result has
    noise, and there are no scores.

    If `extends` names another evaluation, this evaluation solves further coalitions of the other's
    contributions. All else of the other's result, and its scores, hold for this evaluation too.

    If `leave_one_out` is true, the evaluation also computes the distance of all sellers without
    each single one. `leave_one_out_omitted` tells the buyer in words which seller's cap forbids
    that.
    """

    id: str
    request_id: str
    state: EvaluationState
    seller_weighting: SellerWeighting
    extends: str | None = None
    leave_one_out: bool = True
    leave_one_out_omitted: str | None = None
    contribution_ids: list[str]
    progress: Progress | None
    attempts: int
    epsilon: float | None = None
    reason: str | None
    problem: Problem | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class OperatedEvaluation(Listed):
    """An evaluation as administrators see it: the buyer and the progress, without the data."""

    id: str
    request_id: str
    account_id: str = Field(description="The buyer's account.")
    organisation: str
    state: EvaluationState
    progress: Progress | None
    attempts: int
    reason: str | None = Field(
        description="Why the evaluation waits, has stalled, failed or was cancelled."
    )
    problem: Problem | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class EvaluationCost(Model):
    """An estimate of what an evaluation would cost.

    Processor seconds are estimated with constant rates, and are right within a factor of 2 or 3 on
    an idle machine. Wall-clock seconds are estimated from the median time of recent evaluations of
    about this size on this service or, if there are too few, with the constant rates.

    One solver process solves all transport problems of a coalition, within the limits of memory and
    time for a process.
    """

    problems: int = Field(description="The number of transport problems.")
    processor_seconds: float = Field(
        description="The processor seconds of one core for all problems, by constant rates."
    )
    seconds: float | None = Field(
        description="The wall-clock seconds on the running workers if nobody else waits; null if "
        "no worker runs."
    )
    seconds_from: Literal["recent-evaluations", "constant-rates"] = Field(
        default="constant-rates",
        description="Whether `seconds` is estimated from recent evaluations of about this size on "
        "this service, or with constant rates because there are too few.",
    )
    memory_bytes: int = Field(description="The memory of the largest process: arrays and costs.")
    memory_limit_bytes: int = Field(description="The memory that a process may use.")
    process_seconds: float = Field(
        description="The processor seconds of the longest process, by constant rates."
    )
    process_seconds_limit: float = Field(
        description="The wall-clock seconds that a process may take."
    )
    too_large: str | None = Field(
        description="Why the evaluation would be refused, and what would fit; null if it would not "
        "be refused."
    )

    def __str__(self) -> str:
        if self.too_large is not None:
            return f"Too large. {self.too_large}"
        source = (
            "as recent evaluations of this size took"
            if self.seconds_from == "recent-evaluations"
            else "by constant rates, because there are few recent evaluations of this size"
        )
        waited = (
            "no worker is running"
            if self.seconds is None
            else f"about {self.seconds:.2g} s by the clock on this service if nobody else waits, "
            f"{source}"
        )
        return (
            f"{self.problems} transport problems: {waited}; {self.processor_seconds:.2g} processor "
            f"seconds by constant rates, and about {self.memory_bytes / 2**20:.3g} MiB for the "
            "largest process."
        )


class Certificate(Model):
    """The proof of a distance: the cost of a plan, and a lower bound from feasible potentials.

    Costs are W_p^p of the pushed measures. `primal` is the cost of the plan, and bounds W_p^p from
    above. `dual` bounds W_p^p from below, whatever the solver did. `gap` is primal − dual.
    `violation` is the largest f_i + g_j − C_ij of the solver's potentials, before they were made
    feasible. `marginal_error` is the largest difference between the plan's marginals and the
    weights.
    """

    primal: float
    dual: float
    gap: float
    violation: float
    marginal_error: float
    solver: str
    solver_version: str
    rounds: int


class Line(Model):
    """The line alpha + beta·s = ⟨C(s), P⟩ − A2·s² of a fixed plan P.

    The line is an upper bound of W_2² − A2·s² at every s.
    """

    alpha: float
    beta: float


class CurvePoint(Model):
    """The distance at one s: certified or, in mode `scalar`, the seller's claim."""

    s: float
    distance: float
    cost: float
    certificate: Certificate | None = Field(
        description="Null in mode scalar, in which only the seller has certificates."
    )
    line: Line | None
    mean_shift: float | None = Field(description="‖mean η_μ(t0) − mean η_ν(s)‖², in mode measure.")


class QuadraticFit(Model):
    """The fit f²(s) ≈ a0 + a1·s + a2·s² (paper Theorem 2), and its largest residual.

    To pass through the solved points, the distance curve adds the residuals to the fit. Between the
    solved s, residuals are interpolated linearly.
    """

    a0: float
    a1: float
    a2: float
    residual: float


class Curve(Model):
    """The distance curve W_p(η_μ(t0), η_ν(s)): solved points, their fit, and data for the bracket.

    For p = 2, `quadratic_coefficient` is A2. For p = 1, `displacement` is Σ b_j ‖b_ν,j − y_j‖, a
    Lipschitz constant of the curve, which is unknown in mode `cost-block`. `rounding` bounds the
    float64 error of the costs at the solved s.
    """

    points: list[CurvePoint]
    fit: QuadraticFit
    quadratic_coefficient: float | None
    displacement: float | None
    rounding: float


class ResampledDistances(Model):
    """Squared distances W_2² between random parts of the buyer's and of a seller's points.

    They tell how large a distance chance alone can give; `wassay.transport.judge` evaluates them at
    the buyer's t0. Distances of the buyer's parts are those of uploaded points: divided by
    (1 − t0)², they are distances of raw points. All parts have the same number of points, and all
    points of a part the same weight. Points are drawn in proportion to their weights, with a seed
    that is the same in every evaluation of these contributions.
    """

    parts: int = Field(description="The number of parts of each side.")
    part_points: int = Field(description="The number of points in each part.")
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
        description="The standard deviation that chance gives the excess: `between` at t0, minus "
        "the mean of the two sides' distances within."
    )
    chance_skewness: float = Field(description="The skewness that chance gives the excess.")
    chance_direction: float = Field(
        description="The variance that chance gives the difference of the two sides' means, in the "
        "direction in which this variance is largest."
    )
    largest_gap: float = Field(
        description="The largest gap between the certified bounds of a cost, divided by the mean "
        "cost of a pair of points."
    )


class SellerResult(Model):
    """An evaluation's result for one seller. Unless `verified`, it is only the seller's claim.

    `singleton` is the distance curve of this seller. `leave_one_out` is the curve of all other
    sellers together; it is null if there are no others or it was not computed. `relative_scores`
    has a number for each s of the sweep: 1 for the nearest seller, 0 for the farthest, and equal
    numbers for sellers whose distances tie. `scores_shown` says what the buyer may read of the
    scores of this seller's points.
    """

    contribution_id: str
    account_id: str
    label: str
    mode: str
    verified: bool = Field(
        description="False in mode scalar, in which the curve is only the seller's claim."
    )
    points: int
    weight: float
    projection_spread: float | None
    scores_shown: ScoresShown
    singleton: Curve
    leave_one_out: Curve | None
    relative_scores: list[float]
    resampled: ResampledDistances | None = Field(
        default=None,
        description="Distances between random parts, which tell how much chance alone gives.",
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
    - `impossible-contribution`: no points could have these arrays.
    - `understated-spread`: σ_ν is larger than the seller states, so intervals may be too narrow.
    - `weightless-points`: many points have negligible weight, but still count as points.
    - `not-examined`: there are too many sellers to compare them with each other.

    Copies between sellers who do not all allow comparison are reported only if at least half of
    each seller's points are copies. Then `found` and `chance` are null.
    """

    kind: FindingKind
    contribution_id: str | None
    other_contribution_id: str | None
    detail: str = Field(description="A sentence for people.")
    examined: int = Field(description="The number of points that were examined.")
    found: int | None = Field(
        description="The number of examined points that show the anomaly; null if the buyer may "
        "read only that at least half of each seller's points do."
    )
    chance: float | None = Field(
        description="The probability that honest data show as many; null if honest data show none."
    )
    misfit: float | None = Field(
        description="For an impossible contribution, the relative error of the worst row; for an "
        "understated spread, the share by which it is understated; otherwise null."
    )


class GroupCoverage(Model):
    """The share of the buyer's points that a group of sellers covers, at each s of `sweep`."""

    contribution_ids: list[str]
    shares: list[float]
    expected: float = Field(
        description="The share that equally many points of the buyer's own population would cover."
    )


class SweptCoverage(Model):
    """The share of the buyer's points that lie near points of sellers, at several s.

    Around each of the buyer's points, draw the ball that just contains the ten nearest other points
    of the buyer. A seller with at least three points in the ball covers the buyer's point. A group
    of sellers covers a point if at least one of its sellers does. At s = t0, the coverage is that
    of the raw points. To estimate it, interpolate linearly in ln(1 − s).
    """

    sweep: list[float]
    examined: int = Field(description="The number of the buyer's points that were examined.")
    groups: list[GroupCoverage]


class CoalitionResult(Model):
    """The distance curve of a requested coalition of contributions."""

    contribution_ids: list[str]
    curve: Curve


class PairResult(Model):
    """The distance between the points of two `compared` sellers, pushed to one s.

    1/(1 − s) times this distance differs from the distance of the raw points by at most s/(1 − s)
    times the sum of the two projection spreads. `rounding` bounds the float64 error of the cost.
    """

    contribution_ids: list[str]
    s: float
    distance: float
    rounding: float
    certificate: Certificate


class Timing(Model):
    """The seconds in the queue, and the seconds of computing distances and scores."""

    waiting: float
    solving: float


class Result(Model):
    """The buyer's result: distance curves of all sellers together, each seller, and coalitions.

    `grand_coalition` is null if several sellers contributed in mode `scalar`, because their curves
    cannot be combined. `coalitions` are the requested coalitions, and those of the requested
    permutations. `pairs` are the requested distances between sellers.

    `coverage` is null if no points could be compared. Comparing points needs the mode `measure` and
    a reference of one point.

    If `projected_from` is set, raw points have that many coordinates, and everything is computed
    from random projections of the points. Then distances are lower bounds of the distances of the
    raw points, and the coverage is that of the projected points.
    """

    evaluation_id: str
    request_id: str
    order: Order
    projected_from: int | None = None
    sweep: list[float]
    buyer_points: int
    grand_coalition: Curve | None
    sellers: list[SellerResult]
    coalitions: list[CoalitionResult]
    pairs: list[PairResult]
    findings: list[Finding]
    coverage: SweptCoverage | None = None
    software: dict[str, str]
    timing: Timing


class LabelScores(Model):
    """Scores of the labels of one seller's points. A label with a high score is probably wrong.

    Each of the buyer's labels is predicted from the labels of the seller's K nearest points. The
    score of a label is minus the Shapley value of its point for these predictions.

    `values` has a row for each s of `sweep`, with a score for each point; a seller gets only one
    row. `ranks` has the rank of each score, from 0 for the highest. `noisiest` has the numbers of
    the points with the highest scores, in no order. Points are numbered as they were sent. What the
    reader may not see is null.

    `ranks`, `noisiest` and the `values` that a seller gets belong to the s at which the means of
    both parties' pushed points are nearest. The response does not tell which s that is.
    """

    evaluation_id: str
    contribution_id: str
    sweep: list[float] | None
    values: list[list[float]] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="The points with the highest scores. There are a tenth as many as the buyer "
        "or the seller, whoever has fewer, has effective points; none if that is less than one."
    )


class PointScores(Model, Tabular):
    """Scores of one party's points at one s (paper eq. 13, made independent of the solver).

    If more mass on a point raises the distance (noise), the point's score is positive. If more mass
    lowers the distance (value), the score is negative.

    `s` is null if the scores belong to the s at which the means of the buyer's and all sellers'
    pushed points are nearest or, with cost blocks alone, at which the distance is smallest. A
    reader who may not see scores gets ranks and `noisiest` only at that s.

    `spread` is the width of the interval of scores over all optimal potentials. `ranks` has the
    rank of each score, from 0 for the highest, noisiest score. `noisiest` has the numbers of the
    points with the highest scores, in no order. `method`, `values`, `spread` and `ranks` are null
    if the reader may not see them. The service numbers points as they were sent. The SDK numbers
    the caller's own points by rows of their table.
    """

    evaluation_id: str
    contribution_id: str | None
    s: float | None
    method: str | None
    values: list[float] | None
    spread: list[float] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="The points with the highest scores. There are a tenth as many as the smallest "
        "party has effective points, which are 1/Σp² for weights p; equal points of the buyer "
        "count once."
    )

    def to_dict(self) -> Columns:
        """Return one row for each point or, if only the noisiest are disclosed, for these points.

        Returns
        -------
        dict of str to list
        """
        if self.values is None and self.ranks is None:
            return {"row": list(self.noisiest)}
        size = len(self.values if self.values is not None else self.ranks or ())
        unknown = [None] * size
        return {
            "row": list(range(size)),
            "score": unknown if self.values is None else list(self.values),
            "spread": unknown if self.spread is None else list(self.spread),
            "rank": unknown if self.ranks is None else list(self.ranks),
        }
