"""Many blocks at once: numpy lets go of the interpreter, so threads keep every core busy."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import cache
from types import TracebackType
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from wassay.transport.progress import INTERVAL_SECONDS, ProgressCallback

Item = TypeVar("Item")
Result = TypeVar("Result")


def thread_count() -> int:
    """As many as OMP_NUM_THREADS says, else one for every core this process may use."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _SingleThreadedBlas:
    """Matrix products take one thread from the first solve's beginning to the last one's end.

    The limit is the whole process's, so that of two solves beside each other the one that ends
    first must not lift it, nor the other bring it back. A process that is forked amid the solves of
    other threads keeps the limit: its solves may begin and end, but those never will.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        if hasattr(os, "register_at_fork"):  # Windows forks nobody
            # Else who forks while another thread begins a solve leaves the child a lock for ever.
            release = self._lock.release
            os.register_at_fork(
                before=self._lock.acquire, after_in_parent=release, after_in_child=release
            )
        self._solves = 0
        self._limit = ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if not self._solves:
                self._limit.enter_context(_threaded_libraries().limit(limits=1, user_api="blas"))
            self._solves += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._solves -= 1
            if not self._solves:
                self._limit.close()


@cache
def _threaded_libraries() -> ThreadpoolController:
    """Those that have threads of their own; looking for them takes as long as a small solve."""
    return ThreadpoolController()


_SINGLE_THREADED_BLAS = _SingleThreadedBlas()


class ThreadPool:
    """Runs a function on many items, several at once; to be used as a context.

    Inside, matrix products take one thread each, since several of them run at once.
    """

    def __init__(self, progress: ProgressCallback) -> None:
        self._progress = progress
        self._threads = thread_count()
        self._context = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> ThreadPool:
        self._context.enter_context(_SINGLE_THREADED_BLAS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._context.close()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Results in the items' order, so that sums of them do not depend on who was faster.

        The progress is called between and during the items; what it raises goes through.
        """
        waiting = list(items)
        if self._threads == 1 or len(waiting) == 1:
            for item in waiting:
                yield work(item)
                self._progress()
            return
        pool = self._executor()
        upcoming = iter(waiting)
        running: deque[Future[Result]] = deque()
        try:
            for item in upcoming:
                running.append(pool.submit(work, item))
                if len(running) > 2 * self._threads:
                    yield self._await_result(running.popleft())
            while running:
                yield self._await_result(running.popleft())
        finally:
            for future in running:
                future.cancel()
            with self._progress.abandon_workers():
                wait(running)

    def _executor(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = self._context.enter_context(ThreadPoolExecutor(self._threads))
        return self._pool

    def _await_result(self, future: Future[Result]) -> Result:
        while not future.done():
            wait([future], INTERVAL_SECONDS)
            self._progress()
        self._progress()
        return future.result()
