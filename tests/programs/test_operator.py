"""The operator's commands, and how the service stops."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from app.commands.listening_socket import listening_socket
from app.jobs import worker_registry
from app.settings import Settings
from tests.e2e.service import WASSAY
from tests.jobs.conftest import eventually
from tests.programs.typed import Run, typed


def run(folder: Path, *arguments: str, **variables: str) -> Run:
    return typed(folder, {"WASSAY_DATA_FOLDER": str(folder / "data"), **variables}, *arguments)


@pytest.mark.parametrize(
    ("arguments", "variables", "named"),
    [
        (["serve", "--port", "99999"], {}, "WASSAY_PORT"),
        (["serve"], {"WASSAY_PORT": "many"}, "WASSAY_PORT"),
        (["worker"], {"WASSAY_LOG_LEVEL": "loud"}, "WASSAY_LOG_LEVEL"),
        (["serve"], {"WASSAY_DATABASE_URL": "mysql://me:secret@here/x"}, "WASSAY_DATABASE_URL"),
        (["accounts", "key", "acc_nobody", "--scope", "buyer"], {}, "acc_nobody"),
        (["accounts", "keys", "acc_nobody"], {}, "acc_nobody"),
        (
            ["accounts", "create", "--organisation", "", "--name", "A", "--scope", "buyer"],
            {},
            "organisation: expected text of at least 1 character",
        ),
    ],
)
def test_an_error_is_reported_in_a_sentence(
    tmp_path: Path, arguments: list[str], variables: dict[str, str], named: str
) -> None:
    refused = run(tmp_path, *arguments, **variables)
    assert refused.returncode == 1
    assert refused.stderr.startswith("wassay: ")
    assert named in refused.stderr
    assert "secret" not in refused.stderr


def test_a_key_is_found_and_revoked_at_the_services_own_machine(tmp_path: Path) -> None:
    created = run(
        *(tmp_path, "accounts", "create", "--organisation", "Acme", "--name", "Ada"),
        *("--scope", "buyer", "--scope", "seller"),
    )
    made = json.loads(created.stdout)
    assert run(tmp_path, "accounts", "list").stdout == f"{made['account_id']}  Acme  Ada\n"
    listed = run(tmp_path, "accounts", "keys", made["account_id"]).stdout
    assert made["key"] not in listed
    key_id, shown, *rest = listed.split()
    assert made["key"].startswith(shown.removesuffix("…"))
    assert rest == ["buyer,", "seller", "used", "never"]
    revoke = ("accounts", "revoke", key_id)
    assert run(tmp_path, *revoke).returncode == 0
    assert run(tmp_path, "accounts", "keys", made["account_id"]).stdout == ""
    assert key_id in run(tmp_path, *revoke).stderr
    assert run(tmp_path, "accounts", "close", made["account_id"]).returncode == 0
    closed = run(tmp_path, "accounts", "list").stdout
    assert closed == f"{made['account_id']}  Acme  (erased)\n"


def test_a_rotated_key_is_listed_beside_the_one_that_signs_now(tmp_path: Path) -> None:
    rotated = run(tmp_path, "receipt-keys", "rotate")
    assert rotated.returncode == 0, rotated.stderr
    # The new data folder is reported, once.
    assert f"created {tmp_path / 'data'}" in rotated.stderr
    (before,) = re.findall(r"rk_[0-9a-f]{32}", rotated.stdout)
    rotated = run(tmp_path, "receipt-keys", "rotate")
    assert f"retired {before}\n" in rotated.stdout
    _, after = re.findall(r"rk_[0-9a-f]{32}", rotated.stdout)
    again = run(tmp_path, "receipt-keys", "list")
    assert not again.stderr
    listed = again.stdout.splitlines()
    assert [line.split()[0] for line in listed] == [before, after]
    assert "retired" in listed[0]
    assert "retired" not in listed[1]
    assert listed[1].split()[1] in rotated.stdout
    last = run(tmp_path, "receipt-keys", "retire", after)
    assert last.returncode == 1
    assert "there is none. Draw one first" in last.stderr


KILLED_ROTATION = """
import os, signal, sys
from wassay.cli import main

def kill(event, arguments):
    # The new key is published, and its file is about to be moved.
    if event == "os.rename" and str(arguments[1]).endswith("receipt-key"):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
sys.argv = ["wassay", "receipt-keys", "rotate"]
main()
"""


def test_a_killed_rotation_is_reported_by_doctor_and_finished_by_the_next_worker(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "WASSAY_DATA_FOLDER": str(tmp_path / "data")}
    assert run(tmp_path, "receipt-keys", "rotate").returncode == 0
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_ROTATION], cwd=tmp_path, env=environment, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    reported = run(tmp_path, "doctor")

    worker = subprocess.Popen(
        [*WASSAY, "worker", "--concurrency", "1"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert worker.stderr is not None
    said = list(lines_until("worker started", worker.stderr))
    worker.terminate()
    worker.communicate(timeout=60)

    assert reported.returncode == 1
    assert "receipts  a rotation of the receipt key was interrupted" in reported.stdout
    assert "finished an interrupted rotation of the receipt key" in "".join(said)
    assert re.search(r"^receipts +ok$", run(tmp_path, "doctor").stdout, re.MULTILINE)
    listed = run(tmp_path, "receipt-keys", "list").stdout.splitlines()
    assert ["retired" in line for line in listed] == [True, False]


def lines_until(text: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if text in line:
            return
    raise AssertionError(f"the output ended without {text!r}")


def test_a_worker_computes_as_much_at_a_time_as_it_is_told_and_is_listed_while_it_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = psutil.Popen(
        [*WASSAY, "worker", "--concurrency", "1"],
        cwd=tmp_path,
        env={
            **os.environ,
            "WASSAY_DATA_FOLDER": str(tmp_path / "data"),
            "WASSAY_WORKER_ID": "one",
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    while "worker started" not in worker.stderr.readline():
        assert worker.is_running()
    children = worker.children()

    listed = run(tmp_path, "workers")
    monkeypatch.setattr(worker_registry, "SILENT_SECONDS", 0.5)
    worker.suspend()
    eventually(
        lambda: "NO HEARTBEAT" in run(tmp_path, "workers").stdout, "reported without a heartbeat"
    )
    worker.resume()
    worker.terminate()
    worker.communicate(timeout=60)
    after = run(tmp_path, "workers")

    assert after.stdout == "There are no live workers.\n"
    assert len(children) == 1
    assert re.fullmatch(
        rf"one  process {worker.pid} on \S+  since [\d: -]+ UTC  slots 1  jobs none\n",
        listed.stdout,
    )
    assert worker.returncode == 0


@pytest.mark.parametrize(("blow", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_stopped_service_has_stopped_its_worker(
    tmp_path: Path, blow: signal.Signals, code: int
) -> None:
    service = subprocess.Popen(
        [*WASSAY, "serve", "--port", "0"],
        cwd=tmp_path,
        env={
            **os.environ,
            "WASSAY_DATA_FOLDER": str(tmp_path / "data"),
            "WASSAY_WORKER_CONCURRENCY": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert service.stdout is not None
    address = service.stdout.readline().split()[-1]
    httpx.get(f"{address}/readyz", timeout=120).raise_for_status()
    family = psutil.Process(service.pid)
    eventually(lambda: family.children() != [], "its worker started")
    (worker,) = family.children()
    members = worker.children(recursive=True)

    service.send_signal(blow)

    assert service.wait(timeout=120) == code
    service.stdout.close()
    assert not worker.is_running()
    _, alive = psutil.wait_procs(members, timeout=60)
    assert alive == []


def test_the_body_of_a_response_does_not_wait_for_the_acknowledgement_of_its_headers() -> None:
    async def sends_at_once(listener: socket.socket) -> bool:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def look(_: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
            connection = answers.get_extra_info("socket")
            accepted.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            answers.close()

        async with await asyncio.start_server(look, sock=listener):
            with socket.create_connection(listener.getsockname()):
                at_once = bool(await accepted)
        return at_once

    assert asyncio.run(sends_at_once(listening_socket(Settings(port=0))))
