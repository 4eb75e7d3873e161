"""Messages between a worker and its solver processes: JSON, no arrays."""

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
    """The base of a value that one process writes and the other reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MeasureTask(Message):
    """The buyer's measure in the store; if `labelled`, its last column has the class numbers.

    If `scores_labels`, the sellers' measures have such a column, too.
    """

    digest: str
    weighted: bool
    rows: int
    labelled: bool
    scores_labels: bool


class ArrayTask(Message):
    """A seller's array at one s in the store."""

    s: float
    digest: str
    weighted: bool


class SellerTask(Message):
    """A seller's contribution: its description for the result, and its arrays or scalars."""

    contribution_id: str
    account_id: str
    label: str
    mode: Mode
    points: int
    projection_spread: float | None
    scores_shown: ScoresShown
    compared: bool
    copies_counted: bool
    arrays: list[ArrayTask]
    scalars: Scalars | None


class NoiseTask(Message):
    """The ε of a request with noise, and the radius of the ball that clips its points."""

    epsilon: float
    radius: float


class StoreTask(Message):
    """The location of the arrays: the store's folder on this machine, and its bucket if any.

    With a bucket, the folder holds copies, of `copies_bytes` at most.
    """

    folder: str
    bucket: str | None
    copies_bytes: int | None = None


class EvaluationTask(Message):
    """All inputs of an evaluation.

    If `extends` names an earlier evaluation, only the further coalitions have to be solved.
    `extended` is the result document of that evaluation; only the task that builds the new result
    has it.
    """

    evaluation_id: str
    request_id: str
    store: StoreTask
    order: Order
    projected_from: int | None
    sweep: list[float]
    reference_points: int
    seller_weighting: SellerWeighting
    given_weights: dict[str, float] | None
    extends: str | None
    extended: str | None
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
        """Each seller's weight in the mixture of all sellers."""
        if self.given_weights is not None:
            return self.given_weights
        points = {seller.contribution_id: seller.points for seller in self.sellers}
        if self.seller_weighting == "equal":
            return dict.fromkeys(points, 1 / len(points))
        total = sum(points.values())
        return {seller: own / total for seller, own in points.items()}

    @property
    def is_scalar(self) -> bool:
        """Whether the sellers stated their curves by scalars, so that there is nothing to solve."""
        return any(seller.scalars is not None for seller in self.sellers)


class ChunkTask(Message):
    """A chunk of an evaluation: the slice `first:stop` of its `compute.subproblems_of`."""

    evaluation: EvaluationTask
    first: int
    stop: int


class ComputedScores(Message):
    """Scores of one party's points, or of their labels, at one s.

    The stored array has one row for each point: value and spread for scores of points, the value
    alone for scores of labels.
    """

    contribution_id: str | None
    kind: ScoreKind = "points"
    s: float
    method: str
    digest: str


class EvaluationOutput(Message):
    """The output to publish: the result document as canonical JSON, and the scores.

    `nearest_s` is the s at which all sellers together pass the buyer; null without scores.
    """

    document: str
    scores: list[ComputedScores]
    nearest_s: float | None = None


class EvaluationCut(Message):
    """The output of an evaluation that was cut: the bounds of the chunks to compute instead."""

    bounds: list[tuple[int, int]]


class ChunkOutput(Message):
    """The output of a chunk: its `wassay.transport.SolvedSubproblem`s, serialized, and scores.

    `resampled` has the distances between random parts by contribution; null for those with too few
    points.
    """

    solved: list[dict[str, Any]]
    scores: list[ComputedScores]
    resampled: dict[str, ResampledDistances | None]


class AssemblyTask(Message):
    """The outputs of all chunks, for the result; `solving_seconds` is how long they took."""

    evaluation: EvaluationTask
    chunks: list[ChunkOutput]
    solving_seconds: float
