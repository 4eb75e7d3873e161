"""Stream evaluations as server-sent events: send the document of an evaluation when it changes.

All streams of a process share one reader. At every tick it reads a few columns that show which of
the followed evaluations have changed, and then the documents of those alone. The number of its
queries does not depend on the number of streams. A stream holds no thread and no connection to the
database.
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
from ..database import Database
from . import repository
from .presentation import evaluation_to_wire
from .repository import UNFINISHED
from .stall_reasons import Followed, QueueView

POLL_SECONDS = 0.5
STREAM_SECONDS = 60.0
"""The longest life of a stream. After it the client reconnects and is authenticated again."""
RETRY_MILLISECONDS = 1000


@dataclass(frozen=True)
class News:
    """An event of an evaluation, and whether it is the last."""

    event: ServerSentEvent
    is_final: bool

    @classmethod
    def of(cls, evaluation: wire.Evaluation) -> "News":
        """Build the event of an evaluation.

        Its id is a digest of its data, so that a client who reconnects receives only changes.
        """
        document = evaluation.model_dump_json()
        digest = hashlib.sha256(document.encode()).hexdigest()[:32]
        event = ServerSentEvent(
            raw_data=document, event="evaluation", id=digest, retry=RETRY_MILLISECONDS
        )
        return cls(event, evaluation.state not in UNFINISHED)


def is_final_event(evaluation: wire.Evaluation, last_event_id: str | None) -> bool:
    """Return whether an evaluation has ended and `last_event_id` is its last event's."""
    news = News.of(evaluation)
    return news.is_final and news.event.id == last_event_id


@dataclass(eq=False)
class Follower:
    """One stream: the account that follows, and the event that is still to be sent, if any.

    `signature` identifies the version of the evaluation that was last read for this stream.
    """

    evaluation_id: str
    viewer: Principal
    signature: object = None
    news: News | None = None
    has_ended: bool = False

    def __post_init__(self) -> None:
        self._woken = anyio.Event()

    def tell(self, news: News) -> None:
        """Set the next event, in place of one that is still unsent, and wake the stream."""
        self.news = news
        self._woken.set()

    def end(self) -> None:
        """End the stream once its event is sent."""
        self.has_ended = True
        self._woken.set()

    async def next(self, seconds: float) -> News | None:
        """Wait for the next event; return None if none comes in time, or the stream ends."""
        with anyio.move_on_after(seconds):
            await self._woken.wait()
        self._woken = anyio.Event()
        news, self.news = self.news, None
        return news


class EvaluationFeed:
    """The streams of a process, and the one reader that serves them all.

    Parameters
    ----------
    database
        Holds the evaluations.
    stopping
        Set when the service stops, which ends every stream.
    """

    def __init__(self, database: Database, stopping: threading.Event) -> None:
        self._database = database
        self._stopping = stopping
        self._followers: set[Follower] = set()
        self._joined = anyio.Event()
        self._thread = anyio.CapacityLimiter(1)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the reader until the block is left."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read_for_followers)
            tasks.start_soon(self._end_at_shutdown)
            yield
            tasks.cancel_scope.cancel()

    async def follow(
        self, evaluation: wire.Evaluation, viewer: Principal, last_event_id: str | None
    ) -> AsyncIterator[ServerSentEvent]:
        """Yield an evaluation now and whenever it changes, until it has ended or the service stops.

        Parameters
        ----------
        evaluation
            The evaluation as the viewer, who may see it, just read it.
        viewer
            Who follows it.
        last_event_id
            The id of the last event that the client has received.
        """
        follower = Follower(evaluation.id, viewer)
        self._followers.add(follower)
        self._joined.set()
        try:
            news: News | None = News.of(evaluation)
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

    def read(self, followers: Iterable[Follower]) -> dict[Follower, News | None]:
        """Return an event for each stream whose evaluation changed; None if the evaluation is gone.

        The number of queries does not depend on the number of streams.
        """
        followed = {follower.evaluation_id for follower in followers}
        with self._database.snapshot() as session:
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
                (evaluation_id, viewer): News.of(
                    evaluation_to_wire(rows[evaluation_id], viewer, queue)
                )
                for evaluation_id, viewer in viewed
                if evaluation_id in rows
            }
        for follower in changed:
            follower.signature = signatures.get(follower.evaluation_id)
        return {each: news.get((each.evaluation_id, each.viewer)) for each in changed} | {
            each: None for each in followers if each.evaluation_id not in signatures
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
            except (OperationalError, PoolTimeout):  # streams stay open during an outage
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
    """Return a value that changes whenever a document of the evaluation does."""
    if evaluation.state not in UNFINISHED:
        return evaluation.updated_at
    position = queue.position(evaluation.id) if evaluation.state == "waiting" else None
    return evaluation.updated_at, queue.stall_reason(evaluation), position
