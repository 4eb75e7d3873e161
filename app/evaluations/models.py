"""Tables of evaluations, results and scores."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..contributions.models import Contribution
from ..database import Base, Timestamped
from ..http.ids import new_id
from ..requests.models import Request

UNFINISHED = ("waiting", "running")
"""The states of an evaluation that has not ended."""


class EvaluatedContribution(Base):
    """A contribution that an evaluation uses.

    `coalitions` is the number of coalitions and pairs with this contribution that the evaluation
    solves.
    """

    __tablename__ = "evaluated_contributions"

    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    contribution_id: Mapped[str] = mapped_column(
        ForeignKey("contributions.id"), primary_key=True, index=True
    )
    position: Mapped[int]
    coalitions: Mapped[int]

    contribution: Mapped[Contribution] = relationship(lazy="joined")


class Evaluation(Timestamped, Base):
    """One computation of a request's result.

    `leave_one_out` states whether all leave-one-out coalitions are solved. If sellers' caps forbid
    that, `leave_one_out_omitted` states why.

    `seller_weights` are the weights that the buyer gave, keyed by contribution id, with sum 1; null
    if the buyer gave none.

    `estimated_seconds` are the processor seconds that the evaluation takes by the constant rates of
    `app.evaluations.cost`.

    `question` is a digest of the inputs. Evaluations with equal digests have equal results; with
    noise, no two have equal digests. `turn` orders the queue (`app.evaluations.jobs.turns`). Once
    chunks of the evaluation have begun, `turn` is the latest turn of those chunks.
    """

    __tablename__ = "evaluations"
    __table_args__ = (
        Index(
            "ix_evaluations_queue",
            "turn",
            "created_at",
            "id",
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
        Index(
            "ix_evaluations_unfinished",
            "request_id",
            sqlite_where=text("state IN ('waiting', 'running')"),
            postgresql_where=text("state IN ('waiting', 'running')"),
        ),
        Index(
            "ix_evaluations_begun",
            "turn",
            sqlite_where=text("started_at IS NOT NULL"),
            postgresql_where=text("started_at IS NOT NULL"),
        ),
        Index(
            "ix_evaluations_succeeded",
            "finished_at",
            sqlite_where=text("state = 'succeeded'"),
            postgresql_where=text("state = 'succeeded'"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("evl"))
    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"), index=True)
    state: Mapped[str] = mapped_column(default="waiting")
    turn: Mapped[int]
    seller_weighting: Mapped[str]
    seller_weights: Mapped[dict[str, Any] | None]
    extends: Mapped[str | None] = mapped_column(ForeignKey("evaluations.id"))
    leave_one_out: Mapped[bool]
    leave_one_out_omitted: Mapped[str | None]
    coalitions: Mapped[list[list[str]]]
    first_permutation: Mapped[int]
    pairs: Mapped[bool]
    permutations: Mapped[int]
    question: Mapped[str]
    progress_done: Mapped[int | None]
    progress_total: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None]
    problem: Mapped[dict[str, Any] | None]
    estimated_seconds: Mapped[float]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    request: Mapped[Request] = relationship(lazy="joined")
    contributions: Mapped[list[EvaluatedContribution]] = relationship(
        lazy="selectin", order_by=EvaluatedContribution.position
    )


class EvaluationChunk(Base):
    """A chunk of a running evaluation: the slice `first:stop` of its subproblems.

    The last chunk has no subproblems, and builds the result from the outputs of the others. `done`
    counts the chunk's solved subproblems. When the evaluation ends, its chunks are deleted.
    """

    __tablename__ = "evaluation_chunks"

    id: Mapped[str] = mapped_column(primary_key=True)
    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), index=True)
    number: Mapped[int]
    first: Mapped[int]
    stop: Mapped[int]
    turn: Mapped[int]
    attempts: Mapped[int] = mapped_column(default=0)
    running: Mapped[bool] = mapped_column(default=False)
    done: Mapped[int] = mapped_column(default=0)
    output: Mapped[dict[str, Any] | None]


class Result(Timestamped, Base):
    """The result of an evaluation, published once.

    `document` is the canonical JSON that the buyer reads, stored as text, because receipts name the
    `digest` (SHA-256) of these bytes. `nearest_s` is the s in the sweep's range at which all
    sellers' points together are nearest to the buyer's (`wassay.transport.DistanceCurve`); null if
    there are no scores. Ranks and the noisiest points come from the scores at that s.
    """

    __tablename__ = "results"

    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    document: Mapped[str]
    digest: Mapped[str]
    nearest_s: Mapped[float | None]


class ScoredPoints(Timestamped, Base):
    """The scores of one party's points at one s; `contribution_id` is null for the buyer's.

    The `kind` is `points` for scores of points. Labels are scored at many s between the ends of the
    sweep. Each of these s has a row of the kind `swept-labels`. The s at which the mean of the
    seller's points is nearest to the mean of the buyer's has a second row, of the kind `labels`.
    The scores begin in the column `first_column` of the stored array that has this `digest`.
    """

    __tablename__ = "scored_points"
    __table_args__ = (UniqueConstraint("evaluation_id", "contribution_id", "kind", "s"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("scr"))
    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), index=True)
    contribution_id: Mapped[str | None] = mapped_column(ForeignKey("contributions.id"))
    kind: Mapped[str]
    s: Mapped[float]
    method: Mapped[str]
    digest: Mapped[str] = mapped_column(index=True)
    first_column: Mapped[int]
