"""Evaluations, which compute the result of a request, and what they would cost."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model, Problem
from wassay.models.descriptions import (
    ATTEMPTS,
    BUYER,
    EPSILON,
    FINISHED_AT,
    ORGANISATION,
    PROBLEM,
    PROGRESS,
    REASON,
    SELLER_WEIGHTING,
    STARTED_AT,
)

EvaluationState = Literal["waiting", "running", "succeeded", "failed", "cancelled"]
SellerWeighting = Literal["points", "equal", "given"]

MAX_COALITIONS = 5_000
"""The largest number of coalitions in an evaluation, including those of random permutations."""


class Progress(Model):
    """How far an evaluation is."""

    done: int = Field(description="The number of transport problems that are solved.")
    total: int = Field(description="The number of all transport problems.")


class Evaluation(Listed):
    """The computation of a request's result from a fixed set of contributions.

    An extension has coalitions, pairs, software and timing of its own. The rest of its result is
    that of the evaluation that it extends. Sellers cannot read why an evaluation failed or was
    cancelled.
    """

    id: str
    request_id: str
    state: EvaluationState
    seller_weighting: SellerWeighting = Field(description=SELLER_WEIGHTING)
    extends: str | None = Field(
        default=None, description="The evaluation that this one extends. Null: none."
    )
    leave_one_out: bool = Field(
        default=True,
        description="Whether leave-one-out distances are computed: for each seller, that of all "
        "other sellers together.",
    )
    leave_one_out_omitted: str | None = Field(
        default=None,
        description="A sentence for the buyer that says which seller's cap forbids leave-one-out "
        "distances. Null if none does.",
    )
    contribution_ids: list[str] = Field(
        description="The contributions that are evaluated. A seller sees only their own."
    )
    progress: Progress | None = Field(description=PROGRESS)
    attempts: int = Field(description=ATTEMPTS)
    epsilon: float | None = Field(
        default=None, description=f"{EPSILON} With noise, there are no scores."
    )
    reason: str | None = Field(description=REASON)
    problem: Problem | None = Field(description=PROBLEM)
    created_at: datetime
    started_at: datetime | None = Field(description=STARTED_AT)
    finished_at: datetime | None = Field(description=FINISHED_AT)


class OperatedEvaluation(Listed):
    """An evaluation as administrators see it: the buyer and the progress, without the data."""

    id: str
    request_id: str
    account_id: str = Field(description=BUYER)
    organisation: str = Field(description=ORGANISATION)
    state: EvaluationState
    progress: Progress | None = Field(description=PROGRESS)
    attempts: int = Field(description=ATTEMPTS)
    reason: str | None = Field(description=REASON)
    problem: Problem | None = Field(description=PROBLEM)
    created_at: datetime
    started_at: datetime | None = Field(description=STARTED_AT)
    finished_at: datetime | None = Field(description=FINISHED_AT)


class EvaluationCost(Model):
    """An estimate of what an evaluation would cost.

    Processor seconds are right within a factor of 2 or 3 on an idle machine. One process solves the
    whole transport problem of a coalition at one s. So the memory and the time that a process may
    take limit the size of a coalition.
    """

    problems: int = Field(description="The number of transport problems.")
    processor_seconds: float = Field(
        description="The processor seconds of one core for all problems, by constant rates."
    )
    seconds: float | None = Field(
        description="The wall-clock seconds on the running workers if no other evaluation waits; "
        "null if no worker runs."
    )
    seconds_from: Literal["recent-evaluations", "constant-rates"] = Field(
        default="constant-rates",
        description="Whether `seconds` is estimated from recent evaluations of about this size on "
        "this service, or with constant rates because there are too few.",
    )
    memory_bytes: int = Field(
        description="The memory of the largest process, for arrays and costs."
    )
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

    def __repr__(self) -> str:
        return str(self)

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
            else f"about {self.seconds:.2g} s by the clock on this service if no other "
            f"evaluation waits, {source}"
        )
        return (
            f"{self.problems} transport problems: {waited}; {self.processor_seconds:.2g} processor "
            f"seconds by constant rates, and about {self.memory_bytes / 2**20:.3g} MiB for the "
            "largest process."
        )
