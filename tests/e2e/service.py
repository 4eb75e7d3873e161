"""The service in processes of its own, as operators run it, and parties who call it."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import httpx
import psutil

from app.accounts.service import create_account, issue_key
from app.commands.prerequisites import prepared_database
from app.settings import Settings
from wassay import Client, Seller
from wassay.models import Caps, Scope

START_SECONDS = 180
STOP_SECONDS = 120
WASSAY = [sys.executable, "-m", "wassay"]


@dataclass
class Service:
    """A running `wassay serve`, with its worker."""

    url: str
    operator: Client
    data_folder: Path


@dataclass
class Party:
    """An account with a key, and clients of it."""

    account_id: str
    key: str
    client: Client
    url: str

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which processes of the party call the service."""
        return {**os.environ, "WASSAY_URL": self.url, "WASSAY_API_KEY": self.key}


NewParty = Callable[..., Party]


@contextmanager
def running_service(folder: Path, settings: Mapping[str, str], *options: str) -> Iterator[Service]:
    """Run `wassay serve` on a free port, with some variables and options, while the block runs."""
    data_folder = folder / "data"
    environment = {
        **os.environ,
        "WASSAY_DATA_FOLDER": str(data_folder),
        "WASSAY_REQUESTS_PER_MINUTE": "1000000",  # tests and benchmarks poll more often than users
        "WASSAY_WORKER_CONCURRENCY": "1",
        **settings,
    }
    key = administrators_key(environment)
    log = folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*WASSAY, "serve", "--port", "0", *options],
            env={**environment, "PYTHONUNBUFFERED": "1"},
            stdout=file,
            stderr=file,
        )
    try:
        url = address_in(log, process)
        with Client(url, key) as operator:
            yield Service(url, operator, data_folder)
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)


def administrators_key(environment: Mapping[str, str]) -> str:
    """Create an administrator as `wassay accounts create` does, but without starting a process."""
    with patch.dict(os.environ, environment):
        database = prepared_database(Settings())
    with database.transaction() as session:
        account = create_account(session, organisation="Op", name="Op")
        issued = issue_key(session, account_id=account.id, scopes=["admin"])
    database.dispose()
    return issued.key


def address_in(log: Path, process: "subprocess.Popen[bytes] | psutil.Popen") -> str:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"listening on (http://\S+)", log.read_text())
        if found and is_ready(found[1]):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"the service did not start:\n{log.read_text()}")


def is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz").is_success
    except httpx.TransportError:
        return False


@contextmanager
def parties(service: Service) -> Iterator[NewParty]:
    """A function that makes accounts, each with a key that has the given scopes.

    Sellers publish their keys, and allow any number of distances with their data.
    """
    with ExitStack() as clients:

        def new(*scopes: Scope, name: str = "Ada", publishes_key: bool = True) -> Party:
            account = service.operator.accounts.create(organisation="Acme", name=name)
            issued = service.operator.accounts.create_key(account.id, scopes=scopes)
            client = clients.enter_context(Client(service.url, issued.key))
            if "seller" in scopes:
                client.accounts.set_caps(account.id, Caps(questions=None))
            if "seller" in scopes and publishes_key:
                Seller(client).publish_key()
            return Party(account.id, issued.key, client, service.url)

        yield new
