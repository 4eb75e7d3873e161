"""Web and worker processes that a test starts and ends one by one, and their output."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import psutil

WASSAY = [sys.executable, "-m", "wassay"]


def eventually(true: Callable[[], object], what: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not {what} after {seconds} s"
        time.sleep(0.1)


class Process:
    """A process of the command line, or of another program, whose output goes to a file."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str],
        *arguments: str,
        program: Sequence[str] = WASSAY,
    ) -> None:
        self._log = folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **settings}
        with self._log.open("wb") as file:
            self.process = psutil.Popen(
                [*program, *arguments], env=environment, stdout=file, stderr=file
            )

    def __enter__(self) -> "Process":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            sys.stderr.write(self.said)
        self.stop()

    def stop(self) -> None:
        """End the process, and wait until it has ended; kill it if it does not end."""
        if self.process.is_running():
            self.process.send_signal(signal.SIGTERM)
            self.process.send_signal(signal.SIGCONT)  # a stopped process would not end
        try:
            self.process.wait(120)
        except psutil.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def freeze(self) -> None:
        """Stop this process and its child processes, as if their machine were paused."""
        for each in self._family():
            each.suspend()

    def thaw(self) -> None:
        for each in self._family():
            each.resume()

    def kill(self) -> None:
        """Kill this process, even while it is frozen."""
        self.process.kill()
        self.process.wait()

    def _family(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]

    @property
    def said(self) -> str:
        return self._log.read_text()

    def says(self, pattern: str, seconds: float = 120) -> str:
        """Wait until the output matches a pattern; return its last group, or the whole match."""
        eventually(
            lambda: re.search(pattern, self.said) or self.process.poll() is not None,
            pattern,
            seconds,
        )
        found = re.search(pattern, self.said)
        assert found, self.said
        return found[found.lastindex or 0]


def run(settings: Mapping[str, str], *arguments: str) -> str:
    """Run a command to its end, and return its output."""
    done = subprocess.run(
        [*WASSAY, *arguments],
        env={**os.environ, **settings},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout
