"""An evaluation as a stream of events: what polling would show, sent when it changes."""

import hashlib
import threading
import time
from collections.abc import AsyncIterator, Callable

from anyio import sleep, to_thread
from fastapi.sse import ServerSentEvent
from sqlalchemy.exc import OperationalError

from wassay import models as wire

from .repository import UNFINISHED

LOOK_SECONDS = 0.5
STREAM_SECONDS = 60.0
"""A stream ends then, and its reader comes again with the last event's id, and a valid key."""
RETRY_MILLISECONDS = 1000


def event_of(evaluation: wire.Evaluation) -> ServerSentEvent:
    """Tell of an evaluation.

    The event's id is a digest of what it says, so that a reader who comes again is told only what
    is news.
    """
    document = evaluation.model_dump_json()
    digest = hashlib.sha256(document.encode()).hexdigest()[:32]
    return ServerSentEvent(
        raw_data=document, event="evaluation", id=digest, retry=RETRY_MILLISECONDS
    )


def is_told(evaluation: wire.Evaluation, last_event_id: str | None) -> bool:
    """Tell whether an evaluation has ended, and its reader was told so."""
    return evaluation.state not in UNFINISHED and event_of(evaluation).id == last_event_id


async def changes(
    read: Callable[[], wire.Evaluation], last_event_id: str | None, stopping: threading.Event
) -> AsyncIterator[ServerSentEvent]:
    """Yield an evaluation now and whenever it changes, until it has ended or the service stops.

    Parameters
    ----------
    read
        Reads the evaluation; called in a thread.
    last_event_id
        Of the last event that the reader got.
    stopping
        Set when the service is told to stop.
    """
    told, end = last_event_id, time.monotonic() + STREAM_SECONDS
    while True:
        try:
            evaluation = await to_thread.run_sync(read)
        except OperationalError:  # away for a moment: the stream outlives it
            evaluation = None
        if evaluation is not None:
            event = event_of(evaluation)
            if event.id != told:
                told = event.id
                yield event
            if evaluation.state not in UNFINISHED:
                return
        if stopping.is_set() or time.monotonic() > end:
            return
        await sleep(LOOK_SECONDS)
