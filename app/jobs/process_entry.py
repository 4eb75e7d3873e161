"""The process in which tasks are computed: killable, limited, and gone when its worker is gone.

`python -m app.jobs.process_entry PARENT_PID MEMORY_BYTES [MODULE…]`. The modules are imported, so
that the first task need not wait for them. A task comes in on standard input as one line of JSON,
`{"function": "module:name", "arguments": {…}}`. While it is computed, lines `{"progress": [done,
total]}` go out on standard output, and at the end one of `{"output": {…}}` and `{"problem": {…}}`,
with a `traceback` where there is more for the operator's log. Then the next task may come: a
process that has its libraries loaded answers a small task in milliseconds. At the end of the input
the process ends at once, whatever it is doing.
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
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from ..kit.problems import Problem
from .memory import memory_in_use, memory_limit
from .problems import ComputationFailed, OutOfMemory

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, where the kernel can (Linux).

    The kernel means the parent's thread that started us: the worker's pool of threads lives as
    long as the worker. Elsewhere, and for a parent that ended before this call, the end of the
    input does the same.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def limit_memory(size: int) -> None:
    """Limit the address space: an allocation beyond it fails here, and harms nobody else."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def lines_until_the_end(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; at its end, end the process even amid a computation."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, name="input", daemon=True).start()
    while True:
        yield lines.get()


def compute(task: dict[str, Any], say: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Call the task's function; return its output, or the problem that it ended with."""
    try:
        module, _, name = task["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        output = function(task["arguments"], lambda done, total: say({"progress": [done, total]}))
    except Problem as problem:
        if problem.__cause__ is None:
            return {"problem": problem.body()}
        return {"problem": problem.body(), "traceback": traceback.format_exc()}
    except Exception as error:  # noqa: BLE001 - whatever it is, the worker must hear of it
        return {"problem": unforeseen(error).body(), "traceback": traceback.format_exc()}
    return {"output": output}


def unforeseen(error: Exception) -> Problem:
    """Return the problem of an error that the task's function did not mean to raise."""
    if isinstance(error, MemoryError) or (
        isinstance(error, OSError) and error.errno == errno.ENOMEM
    ):
        return OutOfMemory.beyond(memory_limit(), needed_after(error))
    return ComputationFailed.in_child(error)


def needed_after(error: Exception) -> int | None:
    """Return the bytes that were in use and asked for, where a failed allocation tells."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if shape is None or dtype is None:  # numpy's say what they wanted; others do not
        return None
    size: int = math.prod(shape) * dtype.itemsize
    return memory_in_use() + size


def main() -> None:
    """Compute one task after another until the input ends."""
    parent, memory = int(sys.argv[1]), int(sys.argv[2])
    die_with(parent)
    limit_memory(memory)
    faulthandler.enable()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message, allow_nan=False) + "\n")
        answers.flush()

    for module in sys.argv[3:]:
        importlib.import_module(module)
    for line in lines_until_the_end(sys.stdin):
        say(compute(json.loads(line), say))


if __name__ == "__main__":
    main()
