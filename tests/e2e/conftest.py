"""A service on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.service import NewParty, Service, parties, running_service


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process a database: each starts its service, and trades on it, once."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            for kind in ("sqlite", "postgres"):
                if kind in item.name:
                    item.add_marker(pytest.mark.xdist_group(f"services on {kind}"))


@pytest.fixture(scope="package")
def service(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, {"WASSAY_DATABASE_URL": database_url}) as service:
        yield service


@pytest.fixture(scope="package")
def new_party(service: Service) -> Iterator[NewParty]:
    with parties(service) as new:
        yield new
