"""Release the contributions of an evaluation that ends without a result."""

from sqlalchemy.orm import Session

from ...contributions.access import mark_unused
from ...contributions.repository import lock
from .. import repository
from ..models import Evaluation


def release_contributions(session: Session, evaluation: Evaluation) -> None:
    """Mark contributions as unused, so that sellers may withdraw them.

    Skip those that another evaluation uses that waits, runs or has succeeded. Lock the
    contributions before the query for others: a new evaluation locks them too, and of two
    evaluations that end at once the second sees the end of the first.
    """
    contributions = {each.contribution_id: each.contribution for each in evaluation.contributions}
    lock(session, contributions)
    others = repository.used_by_others(session, evaluation)
    mark_unused(contributions[each] for each in contributions.keys() - others)
