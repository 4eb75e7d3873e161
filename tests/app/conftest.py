"""The real service on a free loopback port, and clients of it with accounts of their own."""

import hashlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from app.accounts.service import create_account, issue_key
from app.commands.listening_socket import listening_socket
from app.database import Database
from app.http.logs import configure_logs
from app.main import create_app
from app.settings import Settings
from tests.object_store import ObjectStore, object_store
from wassay.models import Scope

# Shared by all clients, because loading the system's certificates takes longer than most tests.
CERTIFICATES = httpx.create_ssl_context()
ORGANISATIONS = itertools.count(1)


@dataclass
class Service:
    """A running service."""

    url: str
    app: FastAPI
    settings: Settings
    database: Database


def problem(response: httpx.Response) -> tuple[int, str]:
    """Return the status and the slug of a response that must be a problem."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = response.json()
    assert body["status"] == response.status_code
    assert body["request_id"] == response.headers["x-request-id"]
    return response.status_code, body["type"].removeprefix("/problems/")


class Party(httpx.Client):
    """A client with the key of an account."""

    def __init__(self, url: str, key: str, account_id: str, organisation: str) -> None:
        super().__init__(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=60,
            verify=CERTIFICATES,
        )
        self.key = key
        self.account_id = account_id
        self.organisation = organisation


@pytest.fixture(scope="session")
def settings(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(
        database_url=database_url,
        data_folder=tmp_path_factory.mktemp("data"),
        port=0,
        requests_per_minute=10**6,  # tests of the rate limit have settings of their own
    )


@pytest.fixture(scope="session")
def database(settings: Settings) -> Iterator[Database]:
    database = Database(settings.resolved_database_url)
    yield database
    database.dispose()


@pytest.fixture(scope="session")
def service(settings: Settings, database: Database) -> Iterator[Service]:
    with running_app(settings, database) as service:
        yield service


@contextmanager
def running_app(settings: Settings, database: Database) -> Iterator[Service]:
    """Run the service in a thread of this process."""
    configure_logs("WARNING")
    app = create_app(settings)
    listener = listening_socket(settings)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        time.sleep(0.01)
    yield Service(f"http://127.0.0.1:{listener.getsockname()[1]}", app, settings, database)
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def http(service: Service) -> Iterator[Callable[..., Party]]:
    """A function that makes a client with a new account and a key with the given scopes."""
    with new_parties(service) as party:
        yield party


@contextmanager
def new_parties(service: Service) -> Iterator[Callable[..., Party]]:
    """A function that makes parties, by default of one organisation.

    Other tests have other organisations. Uploads lock all accounts of an organisation and count all
    its arrays, which would take longer with each test.
    """
    parties: list[Party] = []
    common = f"Acme {next(ORGANISATIONS)}"

    def party(
        *scopes: Scope,
        organisation: str = common,
        name: str = "Ada",
        account_id: str | None = None,
        expires_at: datetime | None = None,
    ) -> Party:
        with service.database.transaction() as session:
            if account_id is None:
                account_id = create_account(session, organisation=organisation, name=name).id
            issued = issue_key(session, account_id=account_id, scopes=scopes, expires_at=expires_at)
        parties.append(Party(service.url, issued.key, account_id, organisation))
        return parties[-1]

    yield party
    for client in parties:
        client.close()


@pytest.fixture(scope="session")
def buckets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A real object store, whose credentials are in this process's environment."""
    with (
        object_store(tmp_path_factory.mktemp("buckets")) as running,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in running.environment.items():
            patch.setenv(name, value)
        yield running


@pytest.fixture
def address(buckets: ObjectStore, request: pytest.FixtureRequest) -> str:
    """The address of a bucket, with another prefix for each test."""
    del buckets
    return f"s3://wassay/tests/{hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:8]}"


@pytest.fixture
def anonymous(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, timeout=60, verify=CERTIFICATES) as client:
        yield client
