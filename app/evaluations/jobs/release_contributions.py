"""Release the contributions of an evaluation that ends without a result."""

from sqlalchemy.orm import Session

from ...contributions.access import mark_unused
from ...contributions.repository import lock
from .. import repository
from ..models import Evaluation


def release_contributions(session: Session, evaluation: Evaluation) -> None:
    """Mark an evaluation's contributions as unused, so that sellers may withdraw them.

    A contribution stays marked if another waiting, running or succeeded evaluation uses it. The
    contributions are locked before other evaluations are queried. A new evaluation locks its
    contributions, too, so the query misses no evaluation. If two evaluations end at once, the
    second sees that the first has ended.
    """
    contributions = {each.contribution_id: each.contribution for each in evaluation.contributions}
    lock(session, contributions)
    others = repository.used_by_others(session, evaluation)
    mark_unused(contributions[each] for each in contributions.keys() - others)
