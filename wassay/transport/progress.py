"""Report progress to the caller during long computations, and let the caller cancel them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Result = TypeVar("Result")

INTERVAL_SECONDS = 0.25
"""Minimum time between two calls of the caller's function."""


class Abandoned(Exception):  # noqa: N818 - never reaches the caller
    """Ends the work of another thread once the caller no longer waits for it."""


class ProgressCallback:
    """Reports progress: calls the caller's function, at most about four times a second.

    The function runs only in the caller's thread, which is the one that created this object.

    Parameters
    ----------
    callback : callable
        The caller's function, without arguments.
    """

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback = callback
        self._caller = threading.get_ident()
        self._abandoned = threading.Event()
        self._due = time.monotonic() + INTERVAL_SECONDS

    def __call__(self) -> None:
        """Call the caller's function if it is due; its exceptions propagate.

        In other threads, raise `Abandoned` in the context `abandon_workers`, else do nothing.
        """
        if threading.get_ident() != self._caller:
            if self._abandoned.is_set():
                raise Abandoned
            return
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + INTERVAL_SECONDS
            self._callback()

    @contextmanager
    def abandon_workers(self) -> Iterator[None]:
        """Return a context in which this object raises `Abandoned` when other threads call it."""
        self._abandoned.set()
        try:
            yield
        finally:
            self._abandoned.clear()

    def run_blocking(self, work: Callable[[], Result]) -> Result:
        """Run uninterruptible work in another thread while reporting progress.

        If the caller's function raises, the work runs on in a daemon thread and its result is
        discarded.

        Parameters
        ----------
        work : callable

        Returns
        -------
        object
            What `work` returns.
        """
        background = _BackgroundWork(work)
        while not background.wait(INTERVAL_SECONDS):
            self()
        return background.result()


class _BackgroundWork(Generic[Result]):
    """Runs work in a thread of its own and stores its result or its error."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._results: list[Result] = []
        self._errors: list[BaseException] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Result:
        for error in self._errors:
            raise error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again by result()
            self._errors.append(error)
