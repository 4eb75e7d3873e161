"""What toy jobs compute in a child process; standard library only, so that a child starts fast."""

import hashlib
import os
import signal
import time
from pathlib import Path

from app.jobs.handlers import Json, Report
from app.kit.problems import Problem


class Refused(Problem):
    slug, title, status = "refused", "Refused", 422


def add(arguments: Json, report: Report) -> Json:
    del report
    return {"sum": arguments["a"] + arguments["b"], "pid": os.getpid()}


def count(arguments: Json, report: Report) -> Json:
    """Take some seconds, reporting, in steps."""
    for done in range(arguments["steps"]):
        report(done, arguments["steps"])
        time.sleep(arguments["seconds"])
    return {"counted": arguments["steps"]}


def hold(arguments: Json, report: Report) -> Json:
    """Say in one file that it has begun, and take until there is another."""
    del report
    Path(arguments["begun"]).touch()
    while not Path(arguments["let_go"]).exists():
        time.sleep(0.02)
    return {}


def nap(arguments: Json, report: Report) -> Json:
    del report
    time.sleep(arguments["seconds"])
    return {}


def burn(arguments: Json, report: Report) -> Json:
    """Burn two cores until killed: in compiled code, and in a process of one's own."""
    del arguments, report
    if os.fork() == 0:
        burn_for(3600)
    burn_for(3600)
    return {}


def burn_for(seconds: float) -> None:
    block = bytes(2**20)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        hashlib.sha256(block)


def hog(arguments: Json, report: Report) -> Json:
    del report
    return {"bytes": len(bytearray(arguments["bytes"]))}


def fill(arguments: Json, report: Report) -> Json:
    import numpy as np

    del report
    return {"sum": float(np.ones(arguments["entries"]).sum())}


def refuse(arguments: Json, report: Report) -> Json:
    del arguments, report
    raise Refused("expected a toy, received a fact", received="a fact")


def stumble(arguments: Json, report: Report) -> Json:
    del arguments, report
    raise ZeroDivisionError


def chatter(arguments: Json, report: Report) -> Json:
    del arguments, report
    print('{"output": "not the answer"}', flush=True)  # noqa: T201
    return {"limits": [os.environ["OMP_NUM_THREADS"], "WASSAY_DATABASE_URL" in os.environ]}


def die(arguments: Json, report: Report) -> Json:
    del arguments, report
    os.kill(os.getpid(), signal.SIGKILL)
    return {}
