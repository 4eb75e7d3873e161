"""Messages between a worker and its solver processes. They are JSON and contain no arrays."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from wassay.models import (
    Mode,
    Order,
    ResampledDistances,
    Scalars,
    ScoresShown,
    SellerWeighting,
)

ScoreKind = Literal["points", "labels", "swept-labels"]


class Message(BaseModel):
    """The base of a message that one process writes and another reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MeasureTask(Message):
    """The buyer's measure, as tasks name it: its digest in the store, and what its columns hold."""

    digest: str
    weighted: bool  # whether a column of weights follows the points
    rows: int
    labelled: bool  # whether the last column of the buyer's points has class numbers
    # Whether the service scores the sellers' labels, the last column of the sellers' points.
    scores_labels: bool


class ArrayTask(Message):
    """A seller's array at one s: its digest in the store, and whether it has weights."""

    s: float
    digest: str
    weighted: bool


class SellerTask(Message):
    """A seller's contribution: what the result says about it, and its arrays or scalars."""

    contribution_id: str
    account_id: str
    label: str
    mode: Mode
    points: int
    projection_spread: float | None
    scores_shown: ScoresShown  # which scores of the seller's points the buyer may read
    # Whether the seller permits distances to other sellers who permit them.
    may_be_compared: bool
    # Whether the buyer may read how many of the seller's points are copies.
    copies_counted: bool
    arrays: list[ArrayTask]
    scalars: Scalars | None


class NoiseTask(Message):
    """The ε of a request with noise, and the radius of the ball to which points are clipped."""

    epsilon: float
    radius: float


class StoreTask(Message):
    """Where the arrays are: the store's folder on this machine, and its bucket or None.

    With a bucket, the folder holds copies of at most `copies_bytes`; None means no limit.
    """

    folder: str
    bucket: str | None
    copies_bytes: int | None = None


class EvaluationTask(Message):
    """All inputs of an evaluation.

    If `extends` names another evaluation, `extended` is that evaluation's result document.
    """

    evaluation_id: str
    request_id: str
    store: StoreTask
    order: Order
    dimension: int
    projected_from: int | None
    sweep: list[float]
    reference_points: int
    seller_weighting: SellerWeighting
    given_weights: dict[str, float] | None
    extends: str | None
    extended: str | None  # None in tasks of chunks that only solve subproblems
    leave_one_out: bool
    coalitions: list[list[str]]
    first_permutation: int
    pairs: bool
    permutations: int
    waited_seconds: float
    noise: NoiseTask | None
    buyer: MeasureTask
    sellers: list[SellerTask]

    @property
    def seller_weights(self) -> dict[str, float]:
        """Each seller's weight in the mixture of all sellers, keyed by the contribution's id."""
        if self.given_weights is not None:
            return self.given_weights
        points = {seller.contribution_id: seller.points for seller in self.sellers}
        if self.seller_weighting == "equal":
            return dict.fromkeys(points, 1 / len(points))
        total = sum(points.values())
        return {seller: own / total for seller, own in points.items()}

    @property
    def is_scalar(self) -> bool:
        """Whether the contributions are scalars, so that there is nothing to solve."""
        return any(seller.scalars is not None for seller in self.sellers)


class ComputeTask(Message):
    """An evaluation to compute, or to cut if that is estimated to take more than `cut_seconds`."""

    evaluation: EvaluationTask
    cut_seconds: float


class ChunkTask(Message):
    """A chunk of an evaluation: the subproblems `first:stop` of `compute.subproblems_of`."""

    evaluation: EvaluationTask
    first: int
    stop: int


class ComputedScores(Message):
    """Where the scores of one party's points, or of their labels, are stored for one s.

    The array with this `digest` has a row for each point; the scores begin in its `first_column`.
    """

    contribution_id: str | None  # None for the buyer
    # Scores of points have two columns, the values and their spreads; scores of labels have one.
    kind: ScoreKind = "points"
    s: float
    method: str
    digest: str
    first_column: int = 0


class EvaluationOutput(Message):
    """The output to publish: the result document as canonical JSON, and where the scores are.

    At `nearest_s`, all sellers' points together are nearest to the buyer's; None without scores.
    """

    document: str
    scores: list[ComputedScores]
    nearest_s: float | None = None


class EvaluationCut(Message):
    """The output for an evaluation that is long, and therefore cut: the bounds of each chunk.

    The bounds are the index of the chunk's first subproblem, and the index after its last one.
    """

    bounds: list[tuple[int, int]]


class ChunkOutput(Message):
    """The output of a chunk: its `SolvedSubproblem`s as JSON, and where its scores are.

    `resampled` maps the id of a contribution to the distances between random parts of the buyer's
    and the seller's points; None if either side has too few points.
    """

    solved: list[dict[str, Any]]
    scores: list[ComputedScores]
    resampled: dict[str, ResampledDistances | None]


class AssemblyTask(Message):
    """A task to build a result: all chunks' outputs, and the seconds since the evaluation began."""

    evaluation: EvaluationTask
    chunks: list[ChunkOutput]
    solving_seconds: float
