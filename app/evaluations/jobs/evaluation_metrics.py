"""Count evaluations by how they end, and time how long successful ones waited and took."""

from datetime import datetime

from prometheus_client import Counter, Histogram
from sqlalchemy.orm import Session

from ...arrays.problems import StorageDamaged, StorageUnavailable
from ...database import on_commit
from ...jobs.problems import (
    ComputationDied,
    ComputationFailed,
    MachineFailed,
    OutOfMemory,
    TooLong,
    WorkerLost,
)
from ..models import Evaluation
from ..problems import NotCertified, NotSolvable

BUCKETS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3600.0)
FAILURES = (
    *(ComputationDied, ComputationFailed, MachineFailed, OutOfMemory, TooLong, WorkerLost),
    *(NotCertified, NotSolvable, StorageDamaged, StorageUnavailable),
)
"""The problems with which evaluations usually fail; their counters exist from the start."""

ended = Counter(
    "wassay_evaluations_ended",
    "Evaluations that this process ended, by outcome and, for failures, by problem.",
    ["outcome", "problem"],
)
waiting = Histogram(
    "wassay_evaluation_waiting_seconds",
    "Seconds that succeeded evaluations waited, from the call to the beginning.",
    buckets=BUCKETS,
)
solving = Histogram(
    "wassay_evaluation_solving_seconds",
    "Seconds that succeeded evaluations took, from the beginning to the result.",
    buckets=BUCKETS,
)
for outcome in ("succeeded", "cancelled"):
    ended.labels(outcome, "")
for kind in FAILURES:
    ended.labels("failed", kind.slug)


def count_end(session: Session, evaluation: Evaluation) -> None:
    """Count an evaluation that has failed or was cancelled, once the session has committed."""
    problem = (evaluation.problem or {}).get("type", "")
    child = ended.labels(evaluation.state, problem.rpartition("/")[2])
    on_commit(session, child.inc)


def count_success(
    session: Session, created_at: datetime, started_at: datetime | None, finished_at: datetime
) -> None:
    """Count and time an evaluation that has succeeded, once the session has committed.

    If `started_at` is None, do not time it.
    """
    on_commit(session, ended.labels("succeeded", "").inc)
    if started_at is not None:
        waited = (started_at - created_at).total_seconds()
        solved = (finished_at - started_at).total_seconds()
        on_commit(session, lambda: waiting.observe(waited))
        on_commit(session, lambda: solving.observe(solved))
