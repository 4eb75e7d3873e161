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
    """One computation of a request's result."""

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
    # Orders the queue (`app.evaluations.jobs.turns`); the latest turn of the chunks that have
    # begun.
    turn: Mapped[int]
    seller_weighting: Mapped[str]
    # The weights that the buyer gave, keyed by contribution id, with sum 1.
    seller_weights: Mapped[dict[str, Any] | None]
    extends: Mapped[str | None] = mapped_column(ForeignKey("evaluations.id"))
    # Whether all leave-one-out coalitions are solved.
    leave_one_out: Mapped[bool]
    # Why leave-one-out coalitions are not solved, if sellers' caps forbid that.
    leave_one_out_omitted: Mapped[str | None]
    coalitions: Mapped[list[list[str]]]
    first_permutation: Mapped[int]
    pairs: Mapped[bool]
    permutations: Mapped[int]
    # Equal digests mean equal results. With noise, no two evaluations have equal digests.
    inputs_digest: Mapped[str]
    progress_done: Mapped[int | None]
    progress_total: Mapped[int | None]
    attempts: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str | None]
    problem: Mapped[dict[str, Any] | None]
    # Processor seconds, from the constant rates of `app.evaluations.computing.rates`.
    estimated_seconds: Mapped[float]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]

    request: Mapped[Request] = relationship(lazy="joined")
    contributions: Mapped[list[EvaluatedContribution]] = relationship(
        lazy="selectin", order_by=EvaluatedContribution.position
    )


class EvaluationChunk(Base):
    """A chunk of a running evaluation: the slice `first:stop` of its subproblems.

    The last chunk has no subproblems, and builds the result from the outputs of the others.
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
    # The number of solved subproblems.
    done: Mapped[int] = mapped_column(default=0)
    output: Mapped[dict[str, Any] | None]


class Result(Timestamped, Base):
    """The published result of an evaluation: the JSON `document` that the buyer reads."""

    __tablename__ = "results"

    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    # Text instead of JSON, because receipts name the digest of these bytes.
    document: Mapped[str]
    digest: Mapped[str]  # the SHA-256 of the document
    # The s within the sweep's range at which all sellers' points together are nearest to the
    # buyer's, which gives ranks and the noisiest points; null if there are no scores.
    nearest_s: Mapped[float | None]


class ScoredPoints(Timestamped, Base):
    """Where the scores of one party at one s are stored; `contribution_id` is null for the buyer.

    The scores begin in the column `first_column` of the array with this `digest`.
    """

    __tablename__ = "scored_points"
    __table_args__ = (UniqueConstraint("evaluation_id", "contribution_id", "kind", "s"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("scr"))
    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), index=True)
    contribution_id: Mapped[str | None] = mapped_column(ForeignKey("contributions.id"))
    # `points`; for labels, `swept-labels` at each scored s, and `labels` at the s at which the mean
    # of the seller's points is nearest to the mean of the buyer's.
    kind: Mapped[str]
    s: Mapped[float]
    method: Mapped[str]
    digest: Mapped[str] = mapped_column(index=True)
    first_column: Mapped[int]
