"""Stream an evaluation as server-sent events: the document that polling reads, when it changes."""

import hashlib
import threading
import time
from collections.abc import AsyncIterator, Callable

from anyio import sleep, to_thread
from fastapi.sse import ServerSentEvent
from sqlalchemy.exc import OperationalError

from wassay import models as wire

from .repository import UNFINISHED

POLL_SECONDS = 0.5
STREAM_SECONDS = 60.0
"""The longest life of a stream; then its reader reconnects, and is authenticated again."""
RETRY_MILLISECONDS = 1000


def event_of(evaluation: wire.Evaluation) -> ServerSentEvent:
    """Return the event of an evaluation.

    Its id is a digest of its data, so that a reader who reconnects receives only changes.
    """
    document = evaluation.model_dump_json()
    digest = hashlib.sha256(document.encode()).hexdigest()[:32]
    return ServerSentEvent(
        raw_data=document, event="evaluation", id=digest, retry=RETRY_MILLISECONDS
    )


def is_final_event(evaluation: wire.Evaluation, last_event_id: str | None) -> bool:
    """Return whether an evaluation has ended and `last_event_id` is its last event's."""
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
        The id of the last event that the reader has received.
    stopping
        Set when the service stops.
    """
    sent_id, end = last_event_id, time.monotonic() + STREAM_SECONDS
    while True:
        try:
            evaluation = await to_thread.run_sync(read)
        except OperationalError:  # an outage: the stream survives it
            evaluation = None
        if evaluation is not None:
            event = event_of(evaluation)
            if event.id != sent_id:
                sent_id = event.id
                yield event
            if evaluation.state not in UNFINISHED:
                return
        if stopping.is_set() or time.monotonic() > end:
            return
        await sleep(POLL_SECONDS)
