"""Release the contributions of an evaluation that ends without a result."""

from sqlalchemy.orm import Session

from ...contributions.access import mark_unused
from ...contributions.repository import lock
from .. import repository
from ..models import Evaluation


def release_contributions(session: Session, evaluation: Evaluation) -> None:
    """Mark an evaluation's contributions as unused, so that sellers may withdraw them.

    A contribution stays marked as used if another waiting, running or succeeded evaluation uses it.
    """
    contributions = {each.contribution_id: each.contribution for each in evaluation.contributions}
    # Lock before other evaluations are queried. New evaluations lock their contributions, too, so
    # the query misses none. If two evaluations end at once, the second sees the first one's end.
    lock(session, contributions)
    others = repository.used_by_others(session, evaluation)
    mark_unused(contributions[each] for each in contributions.keys() - others)
