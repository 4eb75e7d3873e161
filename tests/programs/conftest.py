"""A service with the default settings."""

from collections.abc import Iterator

import pytest

from tests.e2e.service import NewParty, Service, parties, running_service


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running_service(tmp_path_factory.mktemp("service"), {}) as service:
        yield service


@pytest.fixture(scope="package")
def new_party(service: Service) -> Iterator[NewParty]:
    with parties(service) as new:
        yield new
