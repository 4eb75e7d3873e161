"""Evaluations: the job that computes a request's result, and the result."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Model, Problem
from wassay.models.requests import Order

EvaluationState = Literal["waiting", "running", "succeeded", "failed", "cancelled"]
SellerWeighting = Literal["points", "equal"]
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
"""Further coalitions that the service solves in one evaluation, those of random permutations
included.
"""


class Progress(Model):
    """How far an evaluation is: solves done of solves in all."""

    done: int
    total: int


class Evaluation(Model):
    """One computation of a request's result over a fixed set of contributions.

    `reason` says in words why it waits, does not go on, failed or was cancelled; why it failed, as
    `problem` does, to its buyer only. With `epsilon` there is a result with noise, and no scores.
    One that `extends` another has solved other coalitions of the same
    contributions, and has the rest of its result, and its scores, from there.
    """

    id: str
    request_id: str
    state: EvaluationState
    seller_weighting: SellerWeighting
    extends: str | None = None
    contribution_ids: list[str]
    progress: Progress | None
    attempts: int
    epsilon: float | None = None
    reason: str | None
    problem: Problem | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class Certificate(Model):
    """Why a distance may be believed: a primal plan and feasible potentials that meet it.

    All costs are W_p^p of the interpolating measures. `dual` is a true lower bound, whatever the
    solver did; `gap` = primal − dual; `violation` is the largest f_i + g_j − C_ij of the
    potentials as the solver returned them; `marginal_error` is the largest difference between the
    plan's marginals and the weights.
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
    """⟨C(s), P⟩ − A2·s² of one fixed plan P: alpha + beta·s, an upper bound of h at every s."""

    alpha: float
    beta: float


class CurvePoint(Model):
    """The distance at one solved s: certified, or as a seller says it where there are `scalars`."""

    s: float
    distance: float
    cost: float
    certificate: Certificate | None = Field(
        description="Absent in mode scalar, where nobody but the seller can have one."
    )
    line: Line | None
    mean_shift: float | None = Field(
        description="‖mean η_μ(t0) − mean η_ν(s)‖²; known in mode measure"
    )


class QuadraticFit(Model):
    """f²(s) ≈ a0 + a1·s + a2·s² (paper Theorem 2), and how badly it misses the solved points.

    The curve itself is this plus what it misses at the solved s, linearly between them.
    """

    a0: float
    a1: float
    a2: float
    residual: float


class Curve(Model):
    """W_p(η_μ(t0), η_ν(s)) over the sweep: solved points, their fit, and what bounds it between.

    `quadratic_coefficient` is A2 (p = 2); `displacement` is Σ b_j ‖b_ν,j − y_j‖, the Lipschitz
    constant in s (p = 1, unknown in mode cost-block). `rounding` is how far float64 may have moved
    the costs at the solved s.
    """

    points: list[CurvePoint]
    fit: QuadraticFit
    quadratic_coefficient: float | None
    displacement: float | None
    rounding: float


class SellerResult(Model):
    """An evaluation's result for one seller; the seller's own claim unless `verified`.

    `alone` is the curve of this seller's singleton, `leave_one_out` that of all other sellers, null
    if there are none. `relative_scores` has one number for each s of the sweep: 1 for the nearest
    seller, 0 for the farthest, and equal for sellers whose distances are not told apart.
    `scores_shown` says which scores of this seller's points the buyer may read.
    """

    contribution_id: str
    account_id: str
    label: str
    mode: str
    verified: bool = Field(
        description="False in mode scalar: the curve is what the seller says, unchecked."
    )
    points: int
    weight: float
    projection_spread: float | None
    scores_shown: ScoresShown
    alone: Curve
    leave_one_out: Curve | None
    relative_scores: list[float]


class Finding(Model):
    """An anomaly in a contribution; the result counts the contribution all the same.

    `copies-buyer`: the buyer's points lie on the seller's. `copies-seller`: points of two sellers
    lie on each other. `congruent-sellers`: two sellers' points are the same up to an isometry.
    `repeats-points`: a seller's points lie on other points of the same seller.
    `impossible-contribution`: no points have these arrays. `understated-spread`: σ_ν is larger than
    the seller states, so intervals may be too narrow. `weightless-points`: many points have
    negligible weight, and count as points all the same. `not-examined`: there are too many sellers
    to compare with each other.
    """

    kind: FindingKind
    contribution_id: str | None
    other_contribution_id: str | None
    detail: str = Field(description="A sentence for people.")
    examined: int = Field(description="Points looked at.")
    found: int = Field(description="Of these, how many show it.")
    chance: float | None = Field(
        description="Of that many or more in honest data; absent where these never show it."
    )
    misfit: float | None = Field(
        description="Of an impossible answer: the worst row's error as a share of its size; of an "
        "understated spread: the share that was kept back."
    )


class CoalitionResult(Model):
    """The curve of some of the contributions together, for a coalition that was asked for."""

    contribution_ids: list[str]
    curve: Curve


class PairResult(Model):
    """How far the points of two sellers who are `compared` are from each other, pushed to one s.

    The raw ones are 1/(1 − s) times as far apart, up to s/(1 − s) times the sum of their spreads.
    `rounding` is how far float64 may have moved the cost.
    """

    contribution_ids: list[str]
    s: float
    distance: float
    rounding: float
    certificate: Certificate


class Timing(Model):
    """Seconds spent: in the queue, and on solving (distances and scores together)."""

    waiting: float
    solving: float


class Result(Model):
    """What the buyer reads: the curve of all sellers together, of each, and of coalitions asked
    for.

    `together` is absent where the sellers answered by scalars, of which no aggregate follows.
    `coalitions` are those that this evaluation was asked for, and those of the permutations;
    `pairs` are of sellers with each other, where they were asked for.
    """

    evaluation_id: str
    request_id: str
    order: Order
    sweep: list[float]
    buyer_points: int
    together: Curve | None
    sellers: list[SellerResult]
    coalitions: list[CoalitionResult]
    pairs: list[PairResult]
    findings: list[Finding]
    software: dict[str, str]
    timing: Timing


class PointScores(Model):
    """Scores of one party's points at one s (paper eq. 13, made independent of the solver).

    Positive: the point pushes the distance up (noisy). Negative: it pulls it down (valuable).
    `spread` is the width of the interval in which every optimal dual's score lies. `ranks` count
    from the highest (noisiest) score, 0. Of `method`, `values`, `spread` and `ranks` as much is
    there as the reader may see; `noisiest`, the rows of the points with the highest scores in no
    order, is always there.
    """

    evaluation_id: str
    contribution_id: str | None
    s: float
    method: str | None
    values: list[float] | None
    spread: list[float] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="One for ten points of the party that has the fewest; points count by their "
        "weight (1/Σp²), and the buyer's at one place once."
    )
