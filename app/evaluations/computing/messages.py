"""What passes between the worker and the child that computes an evaluation: JSON, no arrays."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from wassay.models import Mode, Order, Scalars, ScoresShown, SellerWeighting


class Message(BaseModel):
    """A value that one process writes and the other reads."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MeasureTask(Message):
    """The buyer's measure in the store; with the number of each point's class, where `labelled`."""

    digest: str
    weighted: bool
    rows: int
    labelled: bool


class ArrayTask(Message):
    """A seller's array of one s in the store."""

    s: float
    digest: str
    weighted: bool


class SellerTask(Message):
    """A seller's contribution: what the result says of it, and its arrays or scalars."""

    contribution_id: str
    account_id: str
    label: str
    mode: Mode
    points: int
    projection_spread: float | None
    scores_shown: ScoresShown
    compared: bool
    arrays: list[ArrayTask]
    scalars: Scalars | None


class NoiseTask(Message):
    """What answers with noise may cost, and the ball that points are pulled into."""

    epsilon: float
    radius: float


class StoreTask(Message):
    """Where the arrays lie: the store's folder on this machine, and its bucket if it has one."""

    folder: str
    bucket: str | None


class EvaluationTask(Message):
    """Everything that an evaluation is computed from.

    `extends` is the evaluation that has solved all but the coalitions, and `extended` its result,
    told to who puts both together.
    """

    evaluation_id: str
    request_id: str
    store: StoreTask
    order: Order
    sweep: list[float]
    reference_points: int
    seller_weighting: SellerWeighting
    extends: str | None
    extended: str | None
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
        """How much every seller weighs in the aggregate."""
        points = {seller.contribution_id: seller.points for seller in self.sellers}
        if self.seller_weighting == "equal":
            return dict.fromkeys(points, 1 / len(points))
        total = sum(points.values())
        return {seller: own / total for seller, own in points.items()}

    @property
    def is_scalar(self) -> bool:
        """Whether sellers answered by scalars, so that there is nothing to compute."""
        return any(seller.scalars is not None for seller in self.sellers)


class ChunkTask(Message):
    """Some of an evaluation's solves, by their places in `wassay.transport.solvers.plan`."""

    evaluation: EvaluationTask
    first: int
    stop: int


class ComputedScores(Message):
    """Scores of one party's points at one s, kept in the store: (n, 2) of value and spread."""

    contribution_id: str | None
    s: float
    method: str
    digest: str


class EvaluationOutput(Message):
    """What is published: the result as the canonical JSON that the buyer reads, and the scores."""

    document: str
    scores: list[ComputedScores]


class EvaluationCut(Message):
    """What comes of an evaluation that takes long: the bounds of the chunks to compute instead."""

    bounds: list[tuple[int, int]]


class ChunkOutput(Message):
    """What a chunk found: of each solve a `wassay.transport.SolvedSubproblem`, and the scores."""

    solved: list[dict[str, Any]]
    scores: list[ComputedScores]


class AssemblyTask(Message):
    """All chunks of an evaluation, to be put together; `solving_seconds` is what they took."""

    evaluation: EvaluationTask
    chunks: list[ChunkOutput]
    solving_seconds: float
