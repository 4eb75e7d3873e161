"""Give evaluations and chunks their turns in the queue, so that organisations share the workers.

This is start-time fair queueing (Goyal, Vin and Cheng, 1996): each job gets a number, its turn, and
jobs of smaller turns are dequeued first. An organisation's jobs get one turn after the other,
starting at the one that the queue has reached. So the first evaluation of an organisation is next
in the queue, however many others have enqueued; its hundredth waits for 99 turns of theirs.
"""

from sqlalchemy.orm import Session

from .. import repository
from ..models import Evaluation
from ..repository import Backlog

LATEST_TURN = 2**31 - 1
"""The largest priority of the job library; jobs of later turns are dequeued as they come."""


def next_turn(backlog: Backlog) -> int:
    """Return the turn of the next evaluation of the organisation whose backlog this is."""
    return min(max(backlog.reached_turn, backlog.last_turn + 1), LATEST_TURN)


def chunk_turns(session: Session, evaluation: Evaluation, count: int) -> list[int]:
    """Return the turns of the chunks of a running evaluation.

    The n unfinished evaluations of an organisation share its turns: each gets every n-th turn.
    """
    account = evaluation.request.account
    backlog = repository.backlog_of(session, account.id, account.organisation_key)
    step = backlog.of_organisation
    first = backlog.reached_turn + 1
    return [min(first + number * step, LATEST_TURN) for number in range(count)]
