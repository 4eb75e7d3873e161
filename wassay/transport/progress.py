"""Letting a caller breathe: report progress or cancel while a solve runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Result = TypeVar("Result")

INTERVAL_SECONDS = 0.25
"""How often a caller is called, at most."""


class Abandoned(Exception):  # noqa: N818 - nobody sees it: it ends work whose result nobody wants
    """Raised in other threads by a progress whose caller has stopped waiting for them."""


class ProgressCallback:
    """Calls the caller's function about four times a second, however often it is called itself.

    In any thread but the caller's it only says whether the caller still waits.
    """

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback = callback
        self._caller = threading.get_ident()
        self._abandoned = threading.Event()
        self._due = time.monotonic() + INTERVAL_SECONDS

    def __call__(self) -> None:
        """Call the function if it is time; what that raises goes through."""
        if threading.get_ident() != self._caller:
            if self._abandoned.is_set():
                raise Abandoned
            return
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + INTERVAL_SECONDS
            self._callback()

    @contextmanager
    def abandon_workers(self) -> Iterator[None]:
        """End what other threads do for the caller, as soon as they call this."""
        self._abandoned.set()
        try:
            yield
        finally:
            self._abandoned.clear()

    def run_blocking(self, work: Callable[[], Result]) -> Result:
        """Run work that cannot be interrupted beside the progress.

        When the caller's function raises, the work is left to end by itself on its thread, which
        does not keep the process alive.
        """
        running = _BackgroundWork(work)
        while not running.wait(INTERVAL_SECONDS):
            self()
        return running.result()


class _BackgroundWork(Generic[Result]):
    """Work on a thread of its own, with its result or its error."""

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
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            self._errors.append(error)
