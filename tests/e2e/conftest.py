"""A service on each database."""

from collections.abc import Iterator

import pytest

from tests.conftest import NewDatabase
from tests.e2e.service import NewParty, Party, Service, parties, running_service


@pytest.fixture(scope="package")
def database_url(new_database_url: NewDatabase) -> str:
    """A database for this package: only the first service on a database draws a receipt key."""
    return new_database_url()


@pytest.fixture(scope="package")
def service(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, {"WASSAY_DATABASE_URL": database_url}) as service:
        yield service


@pytest.fixture(scope="package")
def new_party(service: Service) -> Iterator[NewParty]:
    with parties(service) as new:
        yield new


@pytest.fixture(scope="package")
def buyer(new_party: NewParty) -> Party:
    return new_party("buyer", name="Bea")


@pytest.fixture
def seller(new_party: NewParty) -> Party:
    return new_party("seller", name="Sol")
