"""Exceptions that end a thread or the process."""

import json
import subprocess
import sys
from pathlib import Path

UNCAUGHT = """
import threading
from app.http.logs import configure_logs
configure_logs("INFO")
def fail():
    raise ValueError("of wsy_0123456789abcdefghjkmnpqrs_secret")
thread = threading.Thread(target=fail, name="helper")
thread.start()
thread.join()
fail()
"""


def test_uncaught_exceptions_of_process_and_thread_are_lines_of_json() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNCAUGHT],
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    of_thread, of_process = map(json.loads, ended.stderr.splitlines())
    assert of_thread["thread"] == "helper"
    for line in (of_thread, of_process):
        assert (line["event"], line["level"]) == ("uncaught exception", "critical")
        assert line["exception"][-1]["frames"][-1]["name"] == "fail"
        assert "timestamp" in line
