"""The worker's solver processes: start them, send them tasks, kill them, keep some ready."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, cast

import structlog

from .. import tracing
from .handlers import Json, Outcome, ProcessTask, ProgressCallback

logger = structlog.stdlib.get_logger("wassay.jobs")

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MAX_LOGGED_LINES = 200
MAX_LINE_CHARACTERS = 2000


@dataclass(frozen=True)
class ProcessLimits:
    """The limits of one solver process: BLAS threads, bytes of address space, seconds per task."""

    threads: int
    memory_bytes: int
    seconds: float


class ProcessDied(Exception):  # noqa: N818 - an event, not a mistake
    """A solver process ended before it sent an outcome.

    `cause` is the signal or exit status; `was_ready` states whether the libraries were loaded.
    """

    def __init__(self, returncode: int, *, was_ready: bool) -> None:
        self.was_ready = was_ready
        self.cause = (
            signal.Signals(-returncode).name if returncode < 0 else f"exit status {returncode}"
        )
        super().__init__(self.cause)


class SolverProcess:
    """A process that computes one task at a time, in a process group of its own."""

    def __init__(self, limits: ProcessLimits, modules: Sequence[str]) -> None:
        # Pass no settings on: a task contains all that it needs, and some settings are secret.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("WASSAY_", "OTEL_"))}
        threads = dict.fromkeys(THREAD_VARIABLES, str(limits.threads))
        self._process = subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
            [
                *(sys.executable, "-P", "-m", f"{__package__}.process_entry"),
                *(str(os.getpid()), str(limits.memory_bytes), *modules),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=inherited | threads,
            start_new_session=True,
        )
        self._tasks = cast("IO[str]", self._process.stdin)
        self._messages = cast("IO[str]", self._process.stdout)
        self._ready = False
        errors = cast("IO[str]", self._process.stderr)
        arguments = self._process.pid, errors
        threading.Thread(target=_log_lines, args=arguments, name="stderr", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def compute(self, task: ProcessTask, on_progress: ProgressCallback) -> Outcome:
        """Send a task to the process, and return its outcome.

        Raises
        ------
        ProcessDied
            If the process ended, or was killed, before it sent the outcome.
        """
        message: Json = {"function": task.function, "arguments": task.arguments}
        if tracing.is_on():
            message["traced"] = True
        try:
            self._tasks.write(json.dumps(message) + "\n")
            self._tasks.flush()
        except BrokenPipeError:
            raise self._death() from None
        for line in self._messages:
            if not line.endswith("\n"):  # the process was killed while it wrote a line
                break
            message = json.loads(line)
            tracing.add_process_spans(message.get("spans", []), {"process.pid": self._process.pid})
            if "ready" in message:
                self._ready = True
            elif "progress" in message:
                on_progress(*message["progress"])
            elif "output" in message:
                return {"output": message["output"]}
            else:
                if "traceback" in message:
                    logger.error("computation failed", traceback=message["traceback"])
                if "machine_fault" in message:
                    return {
                        "problem": message["problem"],
                        "machine_fault": message["machine_fault"],
                    }
                return {"problem": message["problem"]}
        raise self._death()

    def await_ready(self) -> None:
        """Wait until the process has loaded its libraries.

        Raises
        ------
        ProcessDied
            If the process ended first.
        """
        if not self._messages.readline().endswith("\n"):
            raise self._death()
        self._ready = True

    def _death(self) -> ProcessDied:
        return ProcessDied(self._process.wait(), was_ready=self._ready)

    def kill(self) -> None:
        """Kill the process and its children; do nothing if the process has ended."""
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill the process, wait for its end, and close its pipes."""
        self.kill()
        self._process.wait()
        self._messages.close()
        with suppress(BrokenPipeError):  # the pipe may still contain a task that was never read
            self._tasks.close()


def _log_lines(pid: int, lines: IO[str]) -> None:
    """Log what a process writes to standard error, such as a library's warning or a crash."""
    with lines:
        for number, line in enumerate(lines):
            if number < MAX_LOGGED_LINES:
                logger.info(
                    "solver process wrote", pid=pid, line=line.rstrip()[:MAX_LINE_CHARACTERS]
                )


# The library `pebble` kills too slowly, and its processes can outlive a killed worker (see
# docs/decisions/0047-bought-and-built.md).
class ProcessPool:
    """Solver processes that load their libraries in advance, and wait for a task."""

    def __init__(self, limits: ProcessLimits, modules: Sequence[str]) -> None:
        self._limits = limits
        self._modules = modules
        self._idle: list[SolverProcess] = []
        self._lock = threading.Lock()
        self._closed = False
        self._start_fault: str | None = None

    def acquire(self) -> SolverProcess:
        """Return a process for one task: an idle process or, if there is none, a new one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
                process.close()
        return SolverProcess(self._limits, self._modules)

    def warm_up(self, number: int) -> None:
        """Start `number` idle processes."""
        for _ in range(number):
            self.release(SolverProcess(self._limits, self._modules))

    def release(self, process: SolverProcess) -> None:
        """Put a process whose task succeeded back into the pool; close it if the pool is closed."""
        with self._lock:
            if self._closed:
                process.close()
            else:
                self._idle.append(process)

    def replace(self, process: SolverProcess) -> None:
        """Close a process whose task did not succeed, and start an idle process in its place."""
        process.close()
        with self._lock:
            if not self._closed:
                self._idle.append(SolverProcess(self._limits, self._modules))

    def note_failed_start(self, death: ProcessDied) -> str:
        """Remember that a process ended while loading libraries; return this fault as a clause."""
        self._start_fault = f"solver processes end while they load their libraries ({death.cause})"
        return self._start_fault

    def start_fault(self) -> str | None:
        """Return why solver processes cannot start, or None if they can.

        If the last start failed, first try to start another process.
        """
        if self._start_fault is not None:
            process = SolverProcess(self._limits, self._modules)
            try:
                process.await_ready()
            except ProcessDied as death:
                process.close()
                return self.note_failed_start(death)
            self._start_fault = None
            self.release(process)
        return None

    def close(self) -> None:
        """Close all idle processes, and start no more."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
