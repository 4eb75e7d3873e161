"""Give evaluations and chunks their turns in the queue, so that organisations share the workers.

This is start-time fair queueing (Goyal, Vin and Cheng, 1996): each job gets a number, its turn, and
jobs with smaller turns are dequeued first. The jobs of one organisation get successive turns, from
the turn that the queue has reached. So an organisation's first evaluation is next in the queue,
however many evaluations others have enqueued, and its hundredth waits for 99 turns of the others.
"""

from sqlalchemy.orm import Session

from .. import repository
from ..models import Evaluation
from ..repository import Backlog

LATEST_TURN = 2**31 - 1
"""The largest priority of the job library. Jobs beyond it are dequeued in order of arrival."""


def next_turn(backlog: Backlog) -> int:
    """Return the turn of a new evaluation, given the backlog of its organisation."""
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
