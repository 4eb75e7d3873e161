"""Functions of toy jobs; standard library only, so that a solver process starts fast."""

import errno
import hashlib
import os
import signal
import time
from pathlib import Path

from app.http.problems import Problem
from app.jobs.handlers import Json, ProgressCallback

BROKEN = Path(os.environ.get("TOY_BROKEN", "/nonexistent"))
"""While this file exists, the machine has a fault."""
UNLOADABLE = Path(os.environ.get("TOY_UNLOADABLE", "/nonexistent"))

if UNLOADABLE.exists():
    raise ImportError(f"{UNLOADABLE} exists")


class Refused(Problem):
    slug, title, status = "refused", "Refused", 422


def add(arguments: Json, on_progress: ProgressCallback) -> Json:
    del on_progress
    return {"sum": arguments["a"] + arguments["b"], "pid": os.getpid()}


def write(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Fail as on a full disk if the machine has a fault, or if the job asks to fail."""
    del on_progress
    if BROKEN.exists() or arguments.get("always"):
        raise OSError(errno.ENOSPC, "No space left on device")
    return {}


def count(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Take some seconds in steps, and report progress."""
    for done in range(arguments["steps"]):
        on_progress(done, arguments["steps"])
        time.sleep(arguments["seconds"])
    return {"counted": arguments["steps"]}


def hold(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Create a file, and run until another file exists."""
    del on_progress
    Path(arguments["begun"]).touch()
    while not Path(arguments["let_go"]).exists():
        time.sleep(0.02)
    return {}


def nap(arguments: Json, on_progress: ProgressCallback) -> Json:
    del on_progress
    time.sleep(arguments["seconds"])
    return {}


def burn(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Use two cores until killed: one in this process, one in a child process."""
    del arguments, on_progress
    if os.fork() == 0:
        burn_for(3600)
    burn_for(3600)
    return {}


def burn_for(seconds: float) -> None:
    block = bytes(2**20)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        hashlib.sha256(block)


def hog(arguments: Json, on_progress: ProgressCallback) -> Json:
    del on_progress
    return {"bytes": len(bytearray(arguments["bytes"]))}


def fill(arguments: Json, on_progress: ProgressCallback) -> Json:
    import numpy as np

    del on_progress
    return {"sum": float(np.ones(arguments["entries"]).sum())}


def refuse(arguments: Json, on_progress: ProgressCallback) -> Json:
    del arguments, on_progress
    raise Refused("expected a toy, received a fact", received="a fact")


def stumble(arguments: Json, on_progress: ProgressCallback) -> Json:
    del arguments, on_progress
    raise ZeroDivisionError


def chatter(arguments: Json, on_progress: ProgressCallback) -> Json:
    del arguments, on_progress
    print('{"output": "not the output"}', flush=True)  # noqa: T201
    return {"limits": [os.environ["OMP_NUM_THREADS"], "WASSAY_DATABASE_URL" in os.environ]}


def die(arguments: Json, on_progress: ProgressCallback) -> Json:
    del arguments, on_progress
    os.kill(os.getpid(), signal.SIGKILL)
    return {}
