"""The worker that `wassay serve` keeps beside the web process."""

import subprocess
import sys
import threading
import time
from types import TracebackType

import structlog

from .. import worker

logger = structlog.get_logger(__name__)

PAUSE_SECONDS = (0.5, 1, 2, 5, 10)
PATIENCE_SECONDS = 20
STEADY_SECONDS = 30
"""A worker that lives as long has started: should it end then, that was no failed start."""

FAILED_STARTS = 2
"""After so many in a row the worker counts as one that cannot start."""


class SupervisedWorker:
    """Starts a worker process, starts it again when it dies, and ends it on leaving.

    The worker's standard input is a pipe from here: should this process be killed, the pipe
    closes and the worker ends itself.
    """

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
            self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            logger.warning("worker did not stop in time", seconds=PATIENCE_SECONDS)
            self._process.kill()
        self._thread.join()

    def cannot_start(self) -> bool:
        """Tell whether the worker ended soon after its last starts, and is not steady since."""
        return self._failed_starts >= FAILED_STARTS and not self._is_steady()

    def _is_steady(self) -> bool:
        return time.monotonic() - self._started_at > STEADY_SECONDS

    def _start(self) -> "subprocess.Popen[bytes]":
        self._started_at = time.monotonic()
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
            failed = 0 if self._is_steady() else self._failed_starts
            pause = PAUSE_SECONDS[min(failed, len(PAUSE_SECONDS) - 1)]
            self._failed_starts = failed + 1
            logger.error("worker ended; starting another", exit_code=code, pause_seconds=pause)
            self._leaving.wait(pause)
            with self._starting:
                if self._leaving.is_set():
                    return
                self._process = self._start()
