"""Stream evaluations as server-sent events: send an evaluation's document whenever it changes.

One reader serves all streams of a process; a stream holds no thread and no database connection.
"""

import hashlib
import threading
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio import to_thread
from fastapi.sse import ServerSentEvent
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from wassay import models as wire

from ..accounts.principal import Principal
from ..accounts.repository import accepted_keys
from ..database import Database
from . import repository
from .models import UNFINISHED
from .presentation import evaluation_to_wire
from .stall_reasons import Followed, QueueView

POLL_SECONDS = 0.5
STREAM_SECONDS = 60.0
"""The longest life of a stream. The client then reconnects, and is authenticated again."""
RETRY_MILLISECONDS = 1000


@dataclass(frozen=True)
class StreamEvent:
    """An event that is sent about an evaluation, and whether it is the last one."""

    event: ServerSentEvent
    is_final: bool

    @classmethod
    def of(cls, evaluation: wire.Evaluation) -> "StreamEvent":
        """Build the event about the current state of an evaluation."""
        document = evaluation.model_dump_json()
        # The id depends on the data only, so a client who reconnects receives only changes.
        digest = hashlib.sha256(document.encode()).hexdigest()[:32]
        event = ServerSentEvent(
            raw_data=document, event="evaluation", id=digest, retry=RETRY_MILLISECONDS
        )
        return cls(event, evaluation.state not in UNFINISHED)


def is_final_event(evaluation: wire.Evaluation, last_event_id: str | None) -> bool:
    """Return whether the client has received the last event of an evaluation that has ended."""
    news = StreamEvent.of(evaluation)
    return news.is_final and news.event.id == last_event_id


@dataclass(eq=False)
class Follower:
    """An open stream: its evaluation, the caller who follows it, and the next event to send.

    `signature` identifies the version of the evaluation that was last read for this stream.
    """

    evaluation_id: str
    viewer: Principal
    signature: object = None
    news: StreamEvent | None = None
    has_ended: bool = False

    def __post_init__(self) -> None:
        self._woken = anyio.Event()

    def tell(self, news: StreamEvent) -> None:
        """Set the next event, in place of one that is not sent yet, and wake the stream."""
        self.news = news
        self._woken.set()

    def end(self) -> None:
        """End the stream once its last event has been sent."""
        self.has_ended = True
        self._woken.set()

    async def next(self, seconds: float) -> StreamEvent | None:
        """Wait up to `seconds` for the next event; None if none comes."""
        with anyio.move_on_after(seconds):
            await self._woken.wait()
        self._woken = anyio.Event()
        news, self.news = self.news, None
        return news


class EvaluationFeed:
    """The streams of a process, and the reader that serves all of them.

    Parameters
    ----------
    database
        The database that holds the evaluations.
    stopping
        Set when the service stops; every stream then ends.
    """

    def __init__(self, database: Database, stopping: threading.Event) -> None:
        self._database = database
        self._stopping = stopping
        self._followers: set[Follower] = set()
        self._joined = anyio.Event()
        self._thread = anyio.CapacityLimiter(1)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the reader while the block runs."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read_for_followers)
            tasks.start_soon(self._end_at_shutdown)
            yield
            tasks.cancel_scope.cancel()

    async def follow(
        self, evaluation: wire.Evaluation, viewer: Principal, last_event_id: str | None
    ) -> AsyncIterator[ServerSentEvent]:
        """Yield an evaluation now, unless the client has it already, and whenever it changes.

        The stream ends when the evaluation has ended or is gone, the viewer's key is no longer
        accepted, or the service stops; at the latest after `STREAM_SECONDS`.

        Parameters
        ----------
        evaluation
            The evaluation, just read with the rights of the viewer.
        viewer
            The caller who follows the evaluation.
        last_event_id
            The id of the last event that the client has received; None if it has received none.
        """
        follower = Follower(evaluation.id, viewer)
        self._followers.add(follower)
        self._joined.set()
        try:
            news: StreamEvent | None = StreamEvent.of(evaluation)
            sent_id, end = last_event_id, time.monotonic() + STREAM_SECONDS
            while True:
                if news is not None and news.event.id != sent_id:
                    sent_id = news.event.id
                    yield news.event
                is_over = follower.has_ended or (news is not None and news.is_final)
                remaining = end - time.monotonic()
                if is_over or remaining <= 0 or self._stopping.is_set():
                    return
                news = await follower.next(remaining)
        finally:
            self._followers.remove(follower)

    def read(self, followers: Iterable[Follower]) -> dict[Follower, StreamEvent | None]:
        """Return the next event of each stream that has one, and None for each that must end.

        A change of the evaluation gives an event; a stream must end if its evaluation is gone, or
        its viewer's key is no longer accepted.
        """
        followed = {follower.evaluation_id for follower in followers}
        with self._database.snapshot() as session:
            keys = accepted_keys(session, {follower.viewer.key_id for follower in followers})
            stamps = repository.stamps_of(session, followed)
            queue = QueueView(session, [each.id for each in stamps if each.state == "waiting"])
            signatures = {stamp.id: _signature(stamp, queue) for stamp in stamps}
            changed = [
                follower
                for follower in followers
                if follower.signature != signatures.get(follower.evaluation_id)
            ]
            ids = {follower.evaluation_id for follower in changed}.intersection(signatures)
            rows = {row.id: row for row in repository.with_ids(session, ids)} if ids else {}
            viewed = {(each.evaluation_id, each.viewer) for each in changed}
            news = {
                (evaluation_id, viewer): StreamEvent.of(
                    evaluation_to_wire(rows[evaluation_id], viewer, queue)
                )
                for evaluation_id, viewer in viewed
                if evaluation_id in rows
            }
        for follower in changed:
            follower.signature = signatures.get(follower.evaluation_id)
        return {each: news.get((each.evaluation_id, each.viewer)) for each in changed} | {
            each: None
            for each in followers
            if each.evaluation_id not in signatures or each.viewer.key_id not in keys
        }

    async def _read_for_followers(self) -> None:
        while True:
            if not self._followers:
                self._joined = anyio.Event()
                await self._joined.wait()
            await anyio.sleep(POLL_SECONDS)
            try:
                news = await to_thread.run_sync(
                    self.read, frozenset(self._followers), limiter=self._thread
                )
            except (OperationalError, PoolTimeout):  # keep the streams open during an outage
                continue
            for follower, latest in news.items():
                if latest is None:
                    follower.end()
                else:
                    follower.tell(latest)

    async def _end_at_shutdown(self) -> None:
        while not self._stopping.is_set():
            await anyio.sleep(POLL_SECONDS)
        for follower in self._followers:
            follower.end()


def _signature(evaluation: Followed, queue: QueueView) -> object:
    """Return a value that changes whenever any viewer's document of the evaluation changes."""
    if evaluation.state not in UNFINISHED:
        return evaluation.updated_at
    position = queue.position(evaluation.id) if evaluation.state == "waiting" else None
    return evaluation.updated_at, queue.stall_reason(evaluation), position
