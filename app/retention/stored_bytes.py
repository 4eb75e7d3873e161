"""Delete the bytes of arrays that no row of any account refers to."""

from datetime import timedelta

from sqlalchemy import Text, cast, delete, select
from sqlalchemy.orm import Session

from ..arrays.deletion import lock_digest
from ..arrays.models import ArrayDeletion
from ..arrays.store import ArrayStore
from ..contributions.models import ContributionArray
from ..database import Database
from ..evaluations.models import EvaluationChunk, ScoredPoints
from ..requests.models import BuyerMeasure


def delete_scheduled(database: Database, store: ArrayStore) -> int:
    """Delete the arrays whose deletion is scheduled and that no row refers to; return how many.

    Raises
    ------
    StorageUnavailable
        If the bucket does not respond. The next call deletes what is left.
    """
    with database.snapshot() as session:
        scheduled = sorted(set(session.scalars(select(ArrayDeletion.digest))))
    return sum(_delete(database, store, digest) for digest in scheduled)


def delete_unreferenced(database: Database, store: ArrayStore, older_than: timedelta) -> int:
    """Delete the arrays older than `older_than` that no row refers to; return how many."""
    # Recent arrays stay, because a transaction that adds a row for one may not have ended.
    return store.remove_unreferenced(lambda: referenced_digests(database), older_than)


def referenced_digests(database: Database) -> set[str]:
    """Return the digests of the arrays in use, whichever account they belong to."""
    with database.snapshot() as session:
        rows = set(session.scalars(select(ScoredPoints.digest)))
        for table in (BuyerMeasure, ContributionArray):
            rows |= set(session.scalars(select(table.digest).where(table.deleted_at.is_(None))))
        outputs = session.scalars(select(EvaluationChunk.output))
        return rows | {
            scores["digest"] for output in outputs if output for scores in output["scores"]
        }


def _delete(database: Database, store: ArrayStore, digest: str) -> bool:
    with database.transaction() as session:
        lock_digest(session, digest)
        unused = not _is_referenced(session, digest)
        if unused:
            store.delete(digest)
        session.execute(delete(ArrayDeletion).where(ArrayDeletion.digest == digest))
    return unused


def _is_referenced(session: Session, digest: str) -> bool:
    references = (
        select(BuyerMeasure.digest).where(
            BuyerMeasure.digest == digest, BuyerMeasure.deleted_at.is_(None)
        ),
        select(ContributionArray.digest).where(
            ContributionArray.digest == digest, ContributionArray.deleted_at.is_(None)
        ),
        select(ScoredPoints.digest).where(ScoredPoints.digest == digest),
        select(EvaluationChunk.id).where(
            cast(EvaluationChunk.output["scores"], Text).contains(digest)
        ),
    )
    return any(session.scalars(each.limit(1)).first() is not None for each in references)
