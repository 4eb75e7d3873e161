"""The worker that `wassay serve` keeps beside the web process."""

import subprocess
import sys
import threading
from types import TracebackType

import structlog

logger = structlog.get_logger(__name__)

PAUSE_SECONDS = (0.5, 1, 2, 5, 10)
PATIENCE_SECONDS = 20


class SupervisedWorker:
    """Starts a worker process, starts it again when it dies, and ends it on leaving.

    The worker's standard input is a pipe from here: should this process be killed, the pipe
    closes and the worker ends itself.
    """

    def __init__(self) -> None:
        self._leaving = threading.Event()
        self._starting = threading.Lock()
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

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "app.worker", "--attached"], stdin=subprocess.PIPE
        )

    def _watch(self) -> None:
        deaths = 0
        while True:
            code = self._process.wait()
            if self._leaving.is_set():
                return
            pause = PAUSE_SECONDS[min(deaths, len(PAUSE_SECONDS) - 1)]
            deaths += 1
            logger.error("worker ended; starting another", exit_code=code, pause_seconds=pause)
            self._leaving.wait(pause)
            with self._starting:
                if self._leaving.is_set():
                    return
                self._process = self._start()
