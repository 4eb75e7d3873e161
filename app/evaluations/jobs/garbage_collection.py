"""Clearing arrays away that nothing refers to any more, and what abandoned uploads left."""

import threading
from datetime import timedelta

import structlog
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from ...arrays.problems import StorageUnavailable
from ...arrays.store import ArrayStore
from ...contributions.models import ContributionArray
from ...database import Database
from ...requests.models import BuyerMeasure
from ..models import EvaluationChunk, ScoredPoints

logger = structlog.stdlib.get_logger("wassay.arrays")

KEPT_UNREFERENCED = timedelta(days=7)
"""Longer than any upload or evaluation takes to refer to what it has kept."""
SWEEP_SECONDS = 3600.0


def collect_garbage(database: Database, store: ArrayStore, older_than: timedelta) -> int:
    """Remove the bytes that no row of any account refers to, and return how many arrays they were.

    Bytes that came lately stay: the transaction that refers to them may not have ended yet. What
    abandoned uploads left on this machine goes as well, and is not counted.
    """
    store.remove_abandoned()
    return store.remove_unreferenced(lambda: referenced(database), older_than)


def referenced(database: Database) -> set[str]:
    """Return the digests of all arrays that are in use, of every account."""
    with database.snapshot() as session:
        rows = {
            digest
            for table in (BuyerMeasure, ContributionArray, ScoredPoints)
            for digest in session.scalars(select(table.digest))
        }
        outputs = session.scalars(select(EvaluationChunk.output))
        return rows | {
            scores["digest"] for output in outputs if output for scores in output["scores"]
        }


def collect_garbage_hourly(database: Database, store: ArrayStore, stop: threading.Event) -> None:
    """Clear away now and every hour, until `stop` is set; a failure is for the next hour."""
    while True:
        try:
            removed = collect_garbage(database, store, KEPT_UNREFERENCED)
        except (SQLAlchemyError, OSError, StorageUnavailable):
            logger.warning("arrays that nothing refers to stay for now", exc_info=True)
        else:
            if removed:
                logger.info("arrays that nothing refers to were removed", count=removed)
        if stop.wait(SWEEP_SECONDS):
            return
