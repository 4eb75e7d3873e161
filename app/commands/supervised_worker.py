"""Supervise the worker process of `wassay serve`."""

import subprocess
import sys
import threading
import time
from types import TracebackType

import structlog

from .. import worker

logger = structlog.get_logger(__name__)

PAUSE_SECONDS = (0.5, 1, 2, 5, 10)
SHUTDOWN_SECONDS = 20
STEADY_SECONDS = 30
"""A start has failed if the worker dies before it has run for longer than this."""

MAX_FAILED_STARTS = 2
"""After this many failed starts in a row, `cannot_start` returns True."""


class SupervisedWorker:
    """A worker process that is restarted if it dies, and terminated when the `with` block ends."""

    def __init__(self) -> None:
        self._leaving = threading.Event()
        self._starting = threading.Lock()
        self._failed_starts = 0
        self._process = self._start()
        self._thread = threading.Thread(target=self._watch, name="worker-supervision", daemon=True)

    def __enter__(self) -> "SupervisedWorker":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._starting:
            self._leaving.set()
        self._process.terminate()
        try:
            self._process.wait(SHUTDOWN_SECONDS)
        except subprocess.TimeoutExpired:
            logger.warning("worker did not stop in time", seconds=SHUTDOWN_SECONDS)
            self._process.kill()
        self._thread.join()

    def cannot_start(self) -> bool:
        """Return whether the worker failed to start at least `MAX_FAILED_STARTS` times in a row.

        False again once a worker has run for longer than `STEADY_SECONDS`.
        """
        return self._failed_starts >= MAX_FAILED_STARTS and not self._is_steady()

    def _is_steady(self) -> bool:
        return time.monotonic() - self._started_at > STEADY_SECONDS

    def _start(self) -> "subprocess.Popen[bytes]":
        self._started_at = time.monotonic()
        # If this process is killed, the pipe closes, and the worker stops.
        return subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
            [sys.executable, "-P", "-m", worker.__name__, "--attached"], stdin=subprocess.PIPE
        )

    def _watch(self) -> None:
        while True:
            code = self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            if self._leaving.is_set():
                return
            self._failed_starts = 0 if self._is_steady() else self._failed_starts + 1
            pause = PAUSE_SECONDS[min(self._failed_starts, len(PAUSE_SECONDS) - 1)]
            logger.error("worker ended; restarting it", exit_code=code, pause_seconds=pause)
            self._leaving.wait(pause)
            with self._starting:
                if self._leaving.is_set():
                    return
                self._process = self._start()
