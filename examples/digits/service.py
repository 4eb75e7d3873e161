"""Start the real service with `wassay serve`, as an operator does, and open the accounts."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx

from examples.digits.processes import Processes
from wassay import Client
from wassay.models import Scope

START_SECONDS = 60
WASSAY = [sys.executable, "-m", "wassay"]
OPERATOR = ["--organisation", "Demo", "--name", "operator", "--scope", "admin"]


@dataclass(frozen=True)
class Party:
    """A party's account, and the environment variables that connect its process to the service."""

    account_id: str
    environment: dict[str, str]


def start_service(processes: Processes, folder: Path) -> str:
    """Start the web process and a worker on a free port of this machine, and return the address.

    Raises
    ------
    SystemExit
        If the service does not start; includes the last lines of its log.
    """
    log = folder / "service.log"
    process = processes.start(
        [*WASSAY, "serve", "--port", "0"], environment=_data_folder(folder), output=log
    )
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        address = re.search(r"listening on (http://\S+)", log.read_text())
        if address and _is_ready(address[1]):
            return address[1]
        time.sleep(0.1)
    last_lines = "\n".join(log.read_text().splitlines()[-20:])
    raise SystemExit(f"the service did not start:\n{last_lines}")


def open_accounts(folder: Path, address: str, scopes: dict[str, Scope]) -> dict[str, Party]:
    """Create an account with a key for each party, with an operator's admin key."""
    created = subprocess.run(
        [*WASSAY, "accounts", "create", *OPERATOR],
        env={**os.environ, **_data_folder(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    parties = {}
    with Client(address, json.loads(created.stdout)["key"]) as operator:
        for name, scope in scopes.items():
            account = operator.accounts.create(organisation=f"{name} Ltd", name=name)
            issued = operator.accounts.create_key(account.id, scopes=[scope])
            environment = {
                "WASSAY_URL": address,
                "WASSAY_API_KEY": issued.key,
                "WASSAY_PROFILE": str(folder / f"profile of {name}.json"),
            }
            parties[name] = Party(account.id, environment)
    return parties


def _data_folder(folder: Path) -> dict[str, str]:
    return {"WASSAY_DATA_FOLDER": str(folder / "data")}


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz").is_success
    except httpx.TransportError:
        return False
