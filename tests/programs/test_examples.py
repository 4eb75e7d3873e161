"""The example programs do what the documentation says."""

import os
import signal
import subprocess
import sys
import time
import uuid
from ast import literal_eval
from pathlib import Path

import psutil
import pytest

from tests.e2e.processes import eventually

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG"
MARK = "WASSAY_DEMO_MARK"


def test_clients_are_grouped_valued_and_cleaned_by_what_they_send(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "clients.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    groups, worth, dropped = (line.split(": ", 1)[1] for line in run.stdout.splitlines())
    assert groups == str({"Ada": 0, "Bo": 0, "Cy": 1, "Di": 1, "Ed": 1, "Flo": 2})
    values = literal_eval(worth)
    assert min(values["Cy"], values["Ed"]) > values["Di"] > max(values["Ada"], values["Bo"])
    assert dropped == "[0, 1, 2, 3, 4]"
    assert (tmp_path / "clients.png").read_bytes().startswith(PNG)


@pytest.fixture
def mark() -> str:
    """The value of an environment variable that identifies all processes of one demo."""
    return uuid.uuid4().hex


def marked_processes(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def start_demo(folder: Path, mark: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "examples.digits"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "WASSAY_WORKER_CONCURRENCY": "1",
            MARK: mark,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_demo_tells_the_truth_and_leaves_nothing_running(tmp_path: Path, mark: str) -> None:
    demo = start_demo(tmp_path, mark)
    out, err = demo.communicate()
    assert demo.returncode == 0, out + err
    checks = [line.split()[-1] for line in out.splitlines() if line.endswith(("yes", "NO"))]
    assert checks == ["yes"] * 6
    output = tmp_path / "demo-output"
    for name in ("distance-curve.png", "scores.png"):
        assert (output / name).read_bytes().startswith(PNG)
    assert (output / "report.html").read_text().startswith("<!doctype html>")
    assert "grand_coalition" in (output / "result.json").read_text()
    eventually(lambda: marked_processes(mark) == [], "every process ended")


@pytest.mark.parametrize(
    ("blow", "running"),
    [
        pytest.param(signal.SIGTERM, 2, id="while-the-service-starts"),
        pytest.param(signal.SIGINT, 7, id="parties-run-too", marks=pytest.mark.endurance),
    ],
)
def test_an_interrupted_demo_leaves_nothing_running(
    tmp_path: Path, mark: str, blow: signal.Signals, running: int
) -> None:
    demo = start_demo(tmp_path, mark)
    family = psutil.Process(demo.pid)
    while 1 + len(family.children(recursive=True)) < running:
        assert demo.poll() is None
        time.sleep(0.1)
    demo.send_signal(blow)
    demo.communicate(timeout=300)
    assert demo.returncode == 1
    eventually(lambda: marked_processes(mark) == [], "every process ended")
