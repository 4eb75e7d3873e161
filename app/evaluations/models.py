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

    `coalition_count` counts the solved coalitions and pairs that contain the contribution.
    """

    __tablename__ = "evaluated_contributions"

    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    contribution_id: Mapped[str] = mapped_column(
        ForeignKey("contributions.id"), primary_key=True, index=True
    )
    position: Mapped[int]
    coalition_count: Mapped[int]

    contribution: Mapped[Contribution] = relationship(lazy="joined")


class Evaluation(Timestamped, Base):
    """One computation of a request's result.

    - `leave_one_out`: whether all leave-one-out coalitions are solved.
    - `leave_one_out_omitted`: why they are not solved, if sellers' caps forbid that.
    - `seller_weights`: the weights that the buyer gave, keyed by contribution id, with sum 1.
    - `estimated_seconds`: processor seconds, estimated from the constant rates of
      `app.evaluations.computing.rates`.
    - `inputs_digest`: a digest of the inputs. Equal digests mean equal results. With noise, no two
      evaluations have equal digests.
    - `turn`: the number that orders the queue (`app.evaluations.jobs.turns`). Once chunks have
      begun, it is the latest turn of these chunks.
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
    inputs_digest: Mapped[str]
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
    counts solved subproblems. Chunks are deleted when the evaluation ends.
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
    """The published result of an evaluation.

    `document` is the canonical JSON that the buyer reads, and `digest` its SHA-256. `nearest_s` is
    the s within the sweep's range at which all sellers' points together are nearest to the buyer's;
    null if there are no scores. Ranks and the noisiest points come from the scores at that s.
    """

    __tablename__ = "results"

    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    # Text instead of JSON, because receipts name the digest of these bytes.
    document: Mapped[str]
    digest: Mapped[str]
    nearest_s: Mapped[float | None]


class ScoredPoints(Timestamped, Base):
    """Where the scores of one party at one s are stored; `contribution_id` is null for the buyer.

    Rows of the kind `points` are for scores of points. For scores of a seller's labels, there is a
    row of the kind `swept-labels` at each scored s, and one row of the kind `labels`: at the s at
    which the mean of the seller's points is nearest to the mean of the buyer's. The scores begin in
    the column `first_column` of the array with this `digest`.
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
