"""Delete arrays that nothing refers to, and the remains of abandoned uploads."""

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

UNREFERENCED_RETENTION = timedelta(days=7)
"""Longer than any upload or evaluation takes from storing an array to referring to it."""
COLLECTION_SECONDS = 3600.0


def collect_garbage(database: Database, store: ArrayStore, older_than: timedelta) -> int:
    """Delete the arrays that no row of any account refers to, and return their number.

    Recent arrays stay, because the transaction that refers to them may not have ended. The remains
    of abandoned uploads on this machine are deleted too, and not counted.
    """
    store.remove_abandoned()
    return store.remove_unreferenced(lambda: referenced_digests(database), older_than)


def referenced_digests(database: Database) -> set[str]:
    """Return the digests of all arrays in use, of every account."""
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
    """Collect garbage now and every hour until `stop` is set; after a failure, wait an hour."""
    while True:
        try:
            removed = collect_garbage(database, store, UNREFERENCED_RETENTION)
        except (SQLAlchemyError, OSError, StorageUnavailable):
            logger.warning("garbage collection failed", exc_info=True)
        else:
            if removed:
                logger.info("unreferenced arrays deleted", count=removed)
        if stop.wait(COLLECTION_SECONDS):
            return
