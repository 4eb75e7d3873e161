"""Evaluations: the job that computes a request's result, and the result."""

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
"""The most coalitions in one evaluation, including those of random permutations."""


class Progress(Model):
    """The number of transport problems solved, and their total."""

    done: int
    total: int


class Evaluation(Listed):
    """One computation of a request's result over a fixed set of contributions.

    `reason` explains in words why it waits, has stalled, failed or was cancelled; only the buyer
    reads why it failed, also as `problem`. With `epsilon`, the result has noise and there are no
    scores. An evaluation that `extends` another solves further coalitions of its contributions, and
    shares the rest of its result and its scores.

    `leave_one_out` says whether the distances of all sellers without each one are computed;
    `leave_one_out_omitted` tells the buyer in words which seller's cap does not allow it.
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
    reason: str | None = Field(description="Why it waits, has stalled, failed or was cancelled.")
    problem: Problem | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class EvaluationCost(Model):
    """An estimate of what an evaluation would cost.

    Processor seconds follow from constant rates, within a factor of 2 or 3 on an idle machine. The
    seconds on the clock are the median of evaluations of about this size that the service finished
    lately, for their size, or else follow from the constant rates, too.

    A solver process solves the problems of one coalition without a pause, within its limits of
    memory and time.
    """

    problems: int = Field(description="Number of transport problems.")
    processor_seconds: float = Field(
        description="Processor seconds, of one core, for all of them, by constant rates."
    )
    seconds: float | None = Field(
        description="Wall-clock seconds on the workers in service if nobody else waits; null "
        "without workers."
    )
    seconds_from: Literal["recent-evaluations", "constant-rates"] = Field(
        default="constant-rates",
        description="Whether `seconds` is what evaluations of about this size took lately on this "
        "service, or follows from constant rates because these are too few.",
    )
    memory_bytes: int = Field(description="Memory of the largest process: arrays and costs.")
    memory_limit_bytes: int = Field(description="What a process may take.")
    process_seconds: float = Field(
        description="Processor seconds of the longest process, by constant rates."
    )
    process_seconds_limit: float = Field(description="Wall-clock seconds that a process may take.")
    too_large: str | None = Field(
        description="Why it would be refused, and what would fit; null if it would not."
    )

    def __str__(self) -> str:
        if self.too_large is not None:
            return f"Too large. {self.too_large}"
        source = (
            "as evaluations of this size took lately"
            if self.seconds_from == "recent-evaluations"
            else "by constant rates, as few of this size were finished lately"
        )
        waited = (
            "no worker is in service"
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
    """Proof of a distance: the cost of a plan, and a lower bound from feasible potentials.

    Costs are W_p^p of the interpolating measures. `primal` is the cost of the plan; `dual` is a
    lower bound whatever the solver did; `gap` = primal − dual; `violation` is the largest
    f_i + g_j − C_ij of the potentials before they were made feasible; `marginal_error` is the
    largest difference between the plan's marginals and the weights.
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
    """⟨C(s), P⟩ − A2·s² = alpha + beta·s of a fixed plan P.

    It is an upper bound of W_2² − A2·s² at every s.
    """

    alpha: float
    beta: float


class CurvePoint(Model):
    """The distance at one solved s: certified, or a seller's claim in mode `scalar`."""

    s: float
    distance: float
    cost: float
    certificate: Certificate | None = Field(
        description="Null in mode scalar, in which only the seller has one."
    )
    line: Line | None
    mean_shift: float | None = Field(description="‖mean η_μ(t0) − mean η_ν(s)‖², in mode measure.")


class QuadraticFit(Model):
    """The fit f²(s) ≈ a0 + a1·s + a2·s² (paper Theorem 2), with its largest residual.

    The curve adds the residuals at the solved s to the fit, interpolated linearly between them.
    """

    a0: float
    a1: float
    a2: float
    residual: float


class Curve(Model):
    """W_p(η_μ(t0), η_ν(s)) over the sweep: solved points, their fit, and data for its bracket.

    `quadratic_coefficient` is A2 (p = 2); `displacement` is Σ b_j ‖b_ν,j − y_j‖, the Lipschitz
    constant in s (p = 1, unknown in mode `cost-block`). `rounding` bounds the float64 error of the
    costs at the solved s.
    """

    points: list[CurvePoint]
    fit: QuadraticFit
    quadratic_coefficient: float | None
    displacement: float | None
    rounding: float


class ResampledDistances(Model):
    """Squared distances W_2² between random parts of the buyer's and a seller's points.

    They tell how much of a distance chance gives: `wassay.transport.judge` evaluates them at the
    buyer's t0. Distances between the buyer's parts are those of the uploaded points; divided by (1
    − t0)², they are those of the raw points. Parts are of equally many, equally heavy points, drawn
    by their weight from a seed that is the same in every evaluation of these contributions.
    """

    parts: int = Field(description="Number of parts of each side.")
    part_points: int = Field(description="Number of points in each part.")
    between: list[float] = Field(
        description="Mean W_2² between a part of the buyer and one of the seller, at each s of the "
        "sweep. Evaluate the quadratic through them at t0."
    )
    within_buyer: float = Field(description="Mean W_2² between two parts of the buyer.")
    within_seller: float = Field(
        description="Mean W_2² between two parts of the seller, of raw points."
    )
    buyer_variance: float = Field(description="Total variance of the buyer's points.")
    chance_deviation: float = Field(
        description="Standard deviation, by chance, of `between` at t0 minus the mean of both "
        "sides' distances within."
    )
    chance_skewness: float = Field(description="Skewness of the same.")
    chance_direction: float = Field(
        description="Variance, by chance, of the difference of the two sides' means in the "
        "direction in which it is largest."
    )
    largest_gap: float = Field(
        description="Largest gap between the certified bounds of a cost, as a share of the mean "
        "cost of a pair of points."
    )


class SellerResult(Model):
    """An evaluation's result for one seller; the seller's own claim unless `verified`.

    `singleton` is the curve of this seller alone, `leave_one_out` that of all other sellers, null
    if there are none or it was not computed. `relative_scores` has one number for each s of the
    sweep: 1 for the nearest seller, 0 for the farthest, and equal for sellers whose distances tie.
    `scores_shown` says which scores of this seller's points the buyer may read.
    """

    contribution_id: str
    account_id: str
    label: str
    mode: str
    verified: bool = Field(description="False in mode scalar: the curve is the seller's own claim.")
    points: int
    weight: float
    projection_spread: float | None
    scores_shown: ScoresShown
    singleton: Curve
    leave_one_out: Curve | None
    relative_scores: list[float]
    resampled: ResampledDistances | None = Field(
        default=None, description="Distances between random parts, which tell what chance gives."
    )
    not_resampled: str | None = Field(
        default=None, description="Why there are none, in a sentence for people."
    )


class Finding(Model):
    """An anomaly in a contribution, which is evaluated all the same.

    `copies-buyer`: the buyer's points lie on the seller's. `copies-seller`: points of two sellers
    lie on each other. `congruent-sellers`: two sellers' points are the same up to an isometry.
    `repeats-points`: a seller's points lie on other points of the same seller.
    `impossible-contribution`: no points have these arrays. `understated-spread`: σ_ν is larger than
    the seller states, so intervals may be too narrow. `weightless-points`: many points have
    negligible weight, and count as points all the same. `not-examined`: there are too many sellers
    to compare with each other.

    Unless every seller in it is `compared`, a finding of copies is reported only if half of the
    points of each are; `found` and `chance` are then null.
    """

    kind: FindingKind
    contribution_id: str | None
    other_contribution_id: str | None
    detail: str = Field(description="A sentence for people.")
    examined: int = Field(description="Number of points examined.")
    found: int | None = Field(
        description="Number of these that show the anomaly; null if the buyer may read only "
        "that at least half of each seller's points do."
    )
    chance: float | None = Field(
        description="Probability that honest data show as many; null if honest data show none."
    )
    misfit: float | None = Field(
        description="For an impossible contribution, the relative error of the worst row; for an "
        "understated spread, the share by which it is understated."
    )


class GroupCoverage(Model):
    """The share of the buyer's points that a group of sellers covers, at each s of `sweep`."""

    contribution_ids: list[str]
    shares: list[float]
    expected: float = Field(
        description="What as many points of the buyer's own population would cover."
    )


class SweptCoverage(Model):
    """How many of the buyer's points have points of sellers near them, at several s.

    Around each of the buyer's points, take the ball that holds the ten other points of the buyer
    nearest to that point. A seller with three points or more in the ball covers the point; a group
    of sellers does if one of them does. At s = t0, the coverage is that of the raw points; to get
    it, interpolate linearly in ln(1 − s).
    """

    sweep: list[float]
    examined: int = Field(description="Number of the buyer's points examined.")
    groups: list[GroupCoverage]


class CoalitionResult(Model):
    """The curve of a requested coalition of contributions."""

    contribution_ids: list[str]
    curve: Curve


class PairResult(Model):
    """The distance between two `compared` sellers' points, pushed to one s.

    The distance of the raw points is 1/(1 − s) times as large, up to s/(1 − s) times the sum of
    their projection spreads. `rounding` bounds the float64 error of the cost.
    """

    contribution_ids: list[str]
    s: float
    distance: float
    rounding: float
    certificate: Certificate


class Timing(Model):
    """Seconds in the queue, and seconds of solving distances and scores."""

    waiting: float
    solving: float


class Result(Model):
    """The buyer's result: curves of all sellers together, of each, and of requested coalitions.

    `grand_coalition` is null if several sellers contributed in mode `scalar`: their curves cannot
    be combined. `coalitions` are the requested ones and those of the permutations; `pairs` are the
    requested distances between sellers.

    `coverage` is null if no points can be compared; that takes the mode `measure`, and a reference
    of one point.

    If `projected_from` is set, raw points have that many coordinates, and everything is computed
    from random projections of them: distances are lower bounds of those of the raw points, and the
    coverage is that of the projections.
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
    """Scores of the labels of one seller's points: high where the label is probably wrong.

    A score is minus the point's Shapley value for predicting the labels of the buyer's points by
    the K nearest points of the seller. `values` has one row for each s of `sweep`, and a score for
    each point; only the buyer reads several. `ranks` begin with 0 at the highest score. `noisiest`
    has the numbers of the points with the highest scores, in no order. Points are numbered as they
    were sent. What the reader may not see is null. Ranks, `noisiest` and the seller's `values`
    belong to the s at which the means of both parties' points are nearest; which s that is, is not
    told.
    """

    evaluation_id: str
    contribution_id: str
    sweep: list[float] | None
    values: list[list[float]] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="A tenth of the effective points of the buyer or the seller, whoever has "
        "fewer; empty if that is none."
    )


class PointScores(Model, Tabular):
    """Scores of one party's points at one s (paper eq. 13, made independent of the solver).

    `s` is null for the s at which the mean of all sellers' points is nearest to that of the buyer's
    points (for cost blocks alone, the s at which the distance is smallest). Ranks and `noisiest`
    are shown at that s alone, unless scores are shown.

    If more mass on a point raises the distance (noise), its score is positive; if more mass lowers
    the distance (value), its score is negative. `spread` is the width of the interval of scores
    over all optimal duals. `ranks` begin with 0 at the highest, noisiest score. `method`, `values`,
    `spread` and `ranks` are null if the reader may not see them. `noisiest` has the numbers of the
    points with the highest scores, in no order. The service numbers points as they were sent; the
    SDK, one's own by rows of one's table.
    """

    evaluation_id: str
    contribution_id: str | None
    s: float | None
    method: str | None
    values: list[float] | None
    spread: list[float] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="A tenth of the number of points of the smallest party, counted by weight as "
        "1/Σp²; equal points of the buyer count once."
    )

    def to_dict(self) -> Columns:
        """Return one row for each point or, if only the noisiest are disclosed, for each of these.

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
