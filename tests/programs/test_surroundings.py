"""`wassay serve` with unusual environment variables, folders and addresses."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import psutil
import pytest

from app.commands.listening_socket import listening_socket
from app.settings import Settings
from tests.e2e.processes import eventually
from tests.e2e.service import WASSAY, address_in
from tests.programs.typed import typed
from wassay import Buyer, Client, Normal, Reference, Seller

TERMINATED = 60
SOURCE = Path(__file__).parents[2]


@contextmanager
def serving(
    folder: Path, variables: Mapping[str, str], *arguments: str
) -> Iterator[tuple[psutil.Popen, str]]:
    """Run `wassay serve` in a folder, with its output in the file `log` there."""
    log = folder / "log"
    inherited = {name: value for name, value in os.environ.items() if name[:7] != "WASSAY_"}
    with log.open("wb") as file:
        process = psutil.Popen(
            [*WASSAY, "serve", "--port", "0", *arguments],
            cwd=folder,
            env={
                **inherited,
                "PYTHONUNBUFFERED": "1",
                "WASSAY_WORKER_CONCURRENCY": "1",
                **variables,
            },
            stdout=file,
            stderr=file,
        )
    try:
        yield process, address_in(log, process)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(TERMINATED)


def listening(process: psutil.Popen) -> set[str]:
    return {
        each.laddr.ip
        for each in process.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN
    }


def test_variables_that_are_set_to_nothing_open_no_interface_and_move_no_data(
    tmp_path: Path,
) -> None:
    empty = {f"WASSAY_{name.upper()}": "" for name in Settings.model_fields}
    with serving(tmp_path, empty, "--no-worker") as (process, address):
        httpx.get(f"{address}/readyz").raise_for_status()
        assert listening(process) == {"127.0.0.1"}
        forwarded = {"X-Forwarded-For": "203.0.113.7"}
        keys = httpx.get(f"{address}/v1/receipt-keys", headers=forwarded)
        assert keys.json()["items"] == []
    assert "203.0.113.7" not in (tmp_path / "log").read_text()  # no proxy is trusted
    assert (tmp_path / "wassay-data" / "wassay.sqlite").is_file()
    assert not (tmp_path / "wassay-data" / "receipt-key").exists()  # no worker needs it
    assert {entry.name for entry in tmp_path.iterdir()} == {"log", "wassay-data"}


def test_everything_lies_in_the_data_folder_whatever_that_is_called(tmp_path: Path) -> None:
    name = "a?b=c#d e%20f 100%"
    data = tmp_path / name / "data"
    with serving(tmp_path, {"WASSAY_DATA_FOLDER": str(data)}) as (_, address):
        httpx.get(f"{address}/readyz").raise_for_status()
        eventually(lambda: (data / "receipt-key").is_file(), "the worker has drawn its key")
    assert {entry.name for entry in tmp_path.iterdir()} == {"log", name}
    assert [entry.name for entry in (tmp_path / name).iterdir()] == ["data"]
    assert {"arrays", "receipt-key", "wassay.sqlite"} <= {entry.name for entry in data.iterdir()}


def test_the_service_may_be_installed_anywhere(tmp_path: Path) -> None:
    installed = tmp_path / "a%20b 100% %(here)s ?c#d"
    for folder, place in (
        ("wassay", "wassay"),
        ("app", "wassay/server"),
        ("migrations", "wassay/server/migrations"),
    ):
        shutil.copytree(SOURCE / folder, installed / place)  # including compiled modules
    commands = installed / "wassay" / "server" / "commands"
    shutil.rmtree(commands / "__pycache__", ignore_errors=True)
    account = ["--organisation", "Acme", "--name", "Ada", "--scope", "buyer"]
    created = subprocess.run(
        [*WASSAY, "accounts", "create", *account],
        cwd=installed,
        env={
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "PYTHONPATH": str(installed),
            "WASSAY_DATA_FOLDER": str(tmp_path / "data"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert created.returncode == 0, created.stderr
    assert json.loads(created.stdout)["account_id"].startswith("acc_")
    assert any(commands.glob("__pycache__/accounts.*.pyc"))


def test_a_service_that_is_told_to_stop_ends_streams_and_tells_uploads_to_come_again(
    tmp_path: Path,
) -> None:
    variables = {
        "WASSAY_DATA_FOLDER": str(tmp_path / "data"),
        "WASSAY_TRUSTED_PROXIES": "::1",
    }
    account = ["--organisation", "Acme", "--name", "Ada", "--scope", "buyer", "--scope", "seller"]
    key = json.loads(typed(tmp_path, variables, "accounts", "create", *account).stdout)["key"]
    with (
        serving(tmp_path, variables, "--host", "::1", "--no-worker") as (process, address),
        Client(address, key) as client,
    ):
        assert address.startswith("http://[::1]:")
        assert listening(process) == {"::1"}
        forwarded = {
            "X-Forwarded-For": "192.0.2.1, 203.0.113.7"
        }  # the first address is what the caller claims
        assert httpx.get(f"{address}/healthz", headers=forwarded).is_success
        eventually(  # the line is logged after the response
            lambda: '"client": "203.0.113.7"' in (tmp_path / "log").read_text(),
            "the log names the client that the proxy saw",
        )
        Seller(client).publish_key()
        points = np.eye(3)
        own_account = client.accounts.me().id
        request = Buyer(client).ask(points, title="T", sellers=[own_account])
        Seller(client).answer(request.id, points, label="T")
        events = f"{address}/v1/evaluations/{request.evaluate().id}/events"
        reference = client.references.create(Reference(1, 2, Normal(), seed=1))
        draft = client.requests.create(title="T", reference_id=reference.id)
        headers = {"Authorization": f"Bearer {key}"}
        with (
            httpx.stream("GET", events, headers=headers, timeout=TERMINATED) as stream,
            socket.create_connection(("::1", int(address.rpartition(":")[2]))) as line,
        ):
            lines = stream.iter_lines()
            assert next(lines) == "event: evaluation"
            line.sendall(
                f"PUT /v1/requests/{draft.id}/measure HTTP/1.1\r\nHost: [::1]\r\n"
                f"Authorization: Bearer {key}\r\nContent-Type: application/x-npy\r\n"
                "Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n".encode()
            )
            assert b"100 Continue" in line.recv(
                1000
            )  # the service waits for a body that never comes
            process.send_signal(signal.SIGTERM)
            list(lines)  # fails if the connection was closed in the middle of the stream
            answer = line.makefile("rb").read()
        assert process.wait(TERMINATED) == 0
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in answer.lower()
    assert b"/problems/unavailable" in answer
    log = (tmp_path / "log").read_text()
    assert '"exception"' not in log
    assert re.findall(r"Cancel (\d+) running", log) == ["1"]  # the upload; the stream has ended
    assert "Traceback" not in log


def test_a_name_that_means_ipv4_and_ipv6_is_listened_on_by_ipv4() -> None:
    with listening_socket(Settings(host="localhost", port=0)) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "named"), [("::1", "[::1]:{port}"), ("nowhere.invalid", "nowhere.invalid:{port}")]
)
def test_an_address_in_use_is_reported_in_a_sentence(tmp_path: Path, host: str, named: str) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as taken:
        port = taken.getsockname()[1]
        refused = typed(tmp_path, {}, "serve", "--host", host, "--port", port)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"wassay: cannot listen on {named.format(port=port)}: ")
    assert refused.stderr.count("\n") == 1
