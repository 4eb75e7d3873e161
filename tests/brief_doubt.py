"""Run a worker that doubts its machine for a second: `python -m tests.brief_doubt --attached`."""

import runpy
from unittest.mock import patch

from app.jobs import service_state

if __name__ == "__main__":
    with patch.object(service_state, "DOUBT_SECONDS", 1.0):
        runpy.run_module("app.worker", run_name="__main__", alter_sys=True)
