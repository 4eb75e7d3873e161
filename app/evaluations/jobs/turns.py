"""Give evaluations and chunks their turns in the queue, so that organisations share the workers.

This is start-time fair queueing (Goyal, Vin and Cheng, 1996). Each job gets a number, its turn, and
jobs with smaller turns are dequeued first. The evaluations of one organisation get successive
turns, beginning with the turn that the queue has reached. So an organisation's first evaluation is
next in the queue, however many evaluations other organisations have enqueued. Its hundredth
evaluation waits until each other organisation has had 99 turns or has no job left.
"""

from sqlalchemy.orm import Session

from .. import queue_repository
from ..models import Evaluation
from ..queue_repository import Backlog

LATEST_TURN = 2**31 - 1
"""The largest priority of the job library. Jobs that would have a larger turn all get this one."""


def next_turn(backlog: Backlog) -> int:
    """Return the turn of a new evaluation: jobs with smaller turns are dequeued first.

    The turn is the one after the organisation's last turn (`Backlog.last_turn`), but not below the
    turn that the queue has reached. It is at most `LATEST_TURN`.
    """
    return min(max(backlog.reached_turn, backlog.last_turn + 1), LATEST_TURN)


def chunk_turns(session: Session, evaluation: Evaluation, count: int) -> list[int]:
    """Return turns for `count` chunks of a running evaluation, in the order of the chunks.

    The first is later than the turn that the queue has reached. The step from one turn to the next
    is the number of the organisation's unfinished evaluations, so that these evaluations share the
    organisation's turns.
    """
    account = evaluation.request.account
    backlog = queue_repository.backlog_of(session, account.id, account.organisation_key)
    step = backlog.of_organisation
    first = backlog.reached_turn + 1
    return [min(first + number * step, LATEST_TURN) for number in range(count)]
