"""Start processes that end when the demo ends, even if the demo fails."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_SECONDS = 20


class Processes:
    """Start each process in a group of its own, and end every group when the block is left."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in reversed(self._started):
            _end(process)

    def start(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        output: Path | None = None,
    ) -> "subprocess.Popen[bytes]":
        """Start a process; its output goes to this one's output, or to a file."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
        if output is None:
            process = subprocess.Popen(command, env=environment, start_new_session=True)
        else:
            with output.open("wb") as file:
                process = subprocess.Popen(
                    command, env=environment, start_new_session=True, stdout=file, stderr=file
                )
        self._started.append(process)
        return process

    def wait(self, parties: Mapping[str, "subprocess.Popen[bytes]"]) -> None:
        """Wait until all processes have succeeded.

        Raises
        ------
        SystemExit
            If one of them failed, since the others would wait for it forever.
        """
        running = dict(parties)
        while running:
            time.sleep(0.05)
            for name, process in list(running.items()):
                status = process.poll()
                if status:
                    raise SystemExit(f"{name} ended with status {status}")
                if status == 0:
                    del running[name]


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_SECONDS)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
