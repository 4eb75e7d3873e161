"""Run numerical work on blocks in several threads; numpy and numba release the GIL."""

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
    """Return OMP_NUM_THREADS if it is a positive integer, else the number of cores.

    On Linux, only the cores count that this process may use.
    """
    requested = os.environ.get("OMP_NUM_THREADS", "")
    if requested.isdecimal() and int(requested):
        return int(requested)
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _SingleThreadedBlas:
    """Limits BLAS to one thread while any solve is in progress.

    The limit holds for the whole process: the first of several solves sets it, and the last lifts
    it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        if hasattr(os, "register_at_fork"):  # not on Windows
            # A fork while another thread holds the lock would leave it locked in the child.
            release = self._lock.release
            os.register_at_fork(
                before=self._lock.acquire, after_in_parent=release, after_in_child=release
            )
        # A child forked during another thread's solve keeps the limit: that solve never ends there.
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
    """Find the libraries with thread pools; cached, because a search takes long."""
    return ThreadpoolController()


SINGLE_THREADED_BLAS = _SingleThreadedBlas()
"""Context manager inside which BLAS uses one thread.

Small matrix products gain nothing from more threads, which only wait and keep cores busy.
"""


class ThreadPool:
    """Context manager that maps a function over items in several threads.

    In this context, BLAS uses one thread.

    Parameters
    ----------
    progress : ProgressCallback
        Called after each item, and about four times a second while other threads work.
    """

    def __init__(self, progress: ProgressCallback) -> None:
        self._progress = progress
        self._threads = thread_count()
        self._context = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> ThreadPool:
        self._context.enter_context(SINGLE_THREADED_BLAS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._context.close()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items.

        If the progress callback raises, the remaining work ends and the exception propagates.

        Parameters
        ----------
        work : callable
        items : iterable

        Yields
        ------
        object
            Result of `work` for each item.
        """
        work_items = list(items)
        if self._threads == 1 or len(work_items) == 1:
            for item in work_items:
                yield work(item)
                self._progress()
            return
        pool = self._executor()
        upcoming = iter(work_items)
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
