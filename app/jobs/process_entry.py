"""The entry point of a solver process, which computes tasks until its input ends.

Tasks come from standard input, and messages go to standard output; each is a line of JSON.
"""

import ctypes
import errno
import faulthandler
import importlib
import json
import math
import os
import queue
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from ..http.problems import Problem
from .memory import give_back_freed_memory, keep_freed_memory, memory_in_use, memory_limit
from .problems import ComputationFailed, MachineFailed, OutOfMemory
from .process_spans import collected_spans

PR_SET_PDEATHSIG = 1
NICENESS = 5
"""How much solver processes yield the processor to the web process and the worker."""

KEPT_SHARE = 1 / 8
"""While it has tasks, a process keeps freed memory of up to this share of its limit."""
IDLE_SECONDS = 60.0
"""After how long without a task a process gives freed memory back."""

PROGRESS_SECONDS = 0.1
"""How long a process waits between two messages about its progress."""


def die_with(parent: int) -> None:
    """On Linux, have the kernel kill this process when the process `parent` ends.

    On any system, exit at once if the parent has already ended.
    """
    if sys.platform == "linux":
        # The kernel watches the thread of the parent that started this process; the worker's
        # threads live as long as the worker.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def limit_memory(size: int) -> None:
    """Limit the address space to `size` bytes; an allocation beyond the limit then fails."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def lines_until_end_of_input(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; at its end, exit the process, even in the middle of a task."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, name="input", daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            give_back_freed_memory()
            line = lines.get()
        yield line


def compute(task: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Call the task's function; return the last message, with the output or the problem.

    `send` sends messages about progress to the worker.
    """
    try:
        module, _, name = task["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        output = function(task["arguments"], progress_sender(send))
    except Problem as problem:
        if problem.__cause__ is None:
            return failure(problem)
        return {**failure(problem), "traceback": traceback.format_exc()}
    except Exception as error:  # noqa: BLE001 - the worker must receive any error
        return {**failure(unexpected(error)), "traceback": traceback.format_exc()}
    return {"output": output}


def progress_sender(send: Callable[[dict[str, Any]], None]) -> Callable[[int, int], None]:
    """Return a function that sends progress, but at most once in `PROGRESS_SECONDS`."""
    due = time.monotonic() + PROGRESS_SECONDS

    def send_if_due(done: int, total: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + PROGRESS_SECONDS
            send({"progress": [done, total]})

    return send_if_due


def failure(problem: Problem) -> dict[str, Any]:
    """Return the message that reports a problem, and whether the machine is at fault."""
    if problem.is_machine_fault:
        return {"problem": problem.body(), "machine_fault": problem.cause}
    return {"problem": problem.body()}


def unexpected(error: Exception) -> Problem:
    """Return the problem for an error that the task's function did not raise on purpose."""
    if isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno == errno.ENOMEM
    ):
        return OutOfMemory.beyond(memory_limit(), needed_after(error))
    if isinstance(error, OSError):
        return MachineFailed(error)
    return ComputationFailed.in_process(error)


def needed_after(error: Exception) -> int | None:
    """Return the bytes in use plus the size of the allocation that failed.

    Return None if `error` does not state that size.
    """
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if shape is None or dtype is None:  # only numpy's errors have these attributes
        return None
    size: int = math.prod(shape) * dtype.itemsize
    return memory_in_use() + size


def main() -> None:
    """Compute one task after another until the input ends."""
    # python -m app.jobs.process_entry PARENT_PID MEMORY_BYTES [MODULE…]
    parent, memory = int(sys.argv[1]), int(sys.argv[2])
    die_with(parent)
    limit_memory(memory)
    keep_freed_memory(min(int(KEPT_SHARE * memory), 2**30))
    os.nice(NICENESS)
    faulthandler.enable()
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # Send what libraries print to standard error, because it must not mix with the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(message: dict[str, Any]) -> None:
        messages.write(json.dumps(message, allow_nan=False) + "\n")
        messages.flush()

    # Import in advance, so that the first task need not wait.
    for module in sys.argv[3:]:
        importlib.import_module(module)
    send({"ready": True})
    for line in lines_until_end_of_input(sys.stdin):
        # {"function": "module:name", "arguments": {…}}, and "traced" if spans are wanted
        task = json.loads(line)
        if "traced" not in task:
            send(compute(task, send))
            continue
        with collected_spans("compute") as spans:
            message = compute(task, send)
        send({**message, "spans": spans})


if __name__ == "__main__":
    main()
