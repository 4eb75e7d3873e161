"""The worker's side of its solving children: start, ask, kill, keep warm.

A pool from a library (`pebble`) first asks a child to end by a signal that compiled code does not
heed, leaves the child's own children running, and lets it outlive a worker that was killed (see
docs/decisions/0047-bought-and-built.md).
"""

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

from .handlers import ChildTask, Outcome, Report

logger = structlog.stdlib.get_logger("wassay.jobs")

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class ChildLimits:
    """What one child may use: BLAS threads, bytes of address space, seconds for one task."""

    threads: int
    memory_bytes: int
    seconds: float


class ChildDied(Exception):  # noqa: N818 - it is what happened, not somebody's error
    """A child ended before it answered; `cause` is the signal's name or the exit status."""

    def __init__(self, returncode: int) -> None:
        self.cause = (
            signal.Signals(-returncode).name if returncode < 0 else f"exit status {returncode}"
        )
        super().__init__(self.cause)


class Child:
    """A process that computes one task at a time, in a process group of its own."""

    def __init__(self, limits: ChildLimits, modules: Sequence[str]) -> None:
        # A child gets everything with its task: settings, some of them secret, are not its own.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("WASSAY_")}
        threads = dict.fromkeys(THREAD_VARIABLES, str(limits.threads))
        self._process = subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
            [
                *(sys.executable, "-P", "-m", f"{__package__}.process_entry"),
                *(str(os.getpid()), str(limits.memory_bytes), *modules),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=inherited | threads,
            start_new_session=True,
        )
        self._requests = cast("IO[str]", self._process.stdin)
        self._answers = cast("IO[str]", self._process.stdout)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def compute(self, task: ChildTask, report: Report) -> Outcome:
        """Have a task computed; `report` hears of its progress.

        Raises
        ------
        ChildDied
            The process ended, or was killed, before it answered.
        """
        request = json.dumps({"function": task.function, "arguments": task.arguments})
        try:
            self._requests.write(request + "\n")
            self._requests.flush()
        except BrokenPipeError:
            raise ChildDied(self._process.wait()) from None
        for line in self._answers:
            if not line.endswith("\n"):  # killed while it wrote
                break
            message = json.loads(line)
            if "progress" in message:
                report(*message["progress"])
            elif "output" in message:
                return {"output": message["output"]}
            else:
                if "traceback" in message:
                    logger.error("computation failed", traceback=message["traceback"])
                return {"problem": message["problem"]}
        raise ChildDied(self._process.wait())

    def kill(self) -> None:
        """Kill the process and whatever it started, at once."""
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process and leave nothing of it behind."""
        self.kill()
        self._process.wait()
        self._answers.close()
        with suppress(BrokenPipeError):  # a request that was never read
            self._requests.close()


class WarmChildren:
    """Children that wait for their next task with their libraries loaded."""

    def __init__(self, limits: ChildLimits, modules: Sequence[str]) -> None:
        self._limits = limits
        self._modules = modules
        self._idle: list[Child] = []
        self._lock = threading.Lock()
        self._ended = False

    def take(self) -> Child:
        """Return a child for one task: a warm one if there is any, else a new one."""
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.alive:
                    return child
                child.end()
        return Child(self._limits, self._modules)

    def warm(self, number: int) -> None:
        """Start so many children."""
        for _ in range(number):
            self.keep(Child(self._limits, self._modules))

    def keep(self, child: Child) -> None:
        """Take a child back that answered well."""
        with self._lock:
            self._idle.append(child)

    def replace(self, child: Child) -> None:
        """End a child that did not answer well, and have another load its libraries."""
        child.end()
        with self._lock:
            if not self._ended:
                self._idle.append(Child(self._limits, self._modules))

    def end(self) -> None:
        """End every idle child; none is started from here on but to be taken."""
        with self._lock:
            self._ended = True
            while self._idle:
                self._idle.pop().end()
