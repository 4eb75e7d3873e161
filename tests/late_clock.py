"""Run a module on a machine whose clock is late: `python -m tests.late_clock 240 app.worker`."""

import runpy
import sys
from datetime import UTC, datetime, timedelta

import time_machine

if __name__ == "__main__":
    _, seconds, module, *arguments = sys.argv
    sys.argv = [module, *arguments]
    with time_machine.travel(datetime.now(UTC) - timedelta(seconds=float(seconds)), tick=True):
        runpy.run_module(module, run_name="__main__", alter_sys=True)
