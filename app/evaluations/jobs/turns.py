"""Give evaluations and chunks their turns in the queue, so that organisations share the workers.

A turn is a number, and jobs with smaller turns are dequeued first.
"""

from sqlalchemy.orm import Session

from .. import queue_repository
from ..models import Evaluation
from ..queue_repository import Backlog

LATEST_TURN = 2**31 - 1
"""The largest priority of the job library. Jobs that would have a larger turn all get this one."""


def next_turn(backlog: Backlog) -> int:
    """Return the turn of a new evaluation, at most `LATEST_TURN`.

    It is the organisation's last turn plus 1 or, if that is larger, the turn that the queue has
    reached.
    """
    # This is start-time fair queueing (Goyal, Vin and Cheng, 1996). An organisation's first
    # evaluation is next in the queue; its hundredth waits for 99 turns of each other organisation
    # with jobs.
    return min(max(backlog.reached_turn, backlog.last_turn + 1), LATEST_TURN)


def chunk_turns(session: Session, evaluation: Evaluation, count: int) -> list[int]:
    """Return the turns of a running evaluation's `count` chunks, in the order of the chunks."""
    account = evaluation.request.account
    backlog = queue_repository.backlog_of(session, account.id, account.organisation_key)
    # With this step, the organisation's evaluations together have about one chunk at each turn.
    step = backlog.of_organisation
    first = backlog.reached_turn + 1
    return [min(first + number * step, LATEST_TURN) for number in range(count)]
