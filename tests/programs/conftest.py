"""A service with the settings that come of themselves."""

from collections.abc import Iterator

import pytest

from tests.e2e.service import NewParty, parties, running_service


@pytest.fixture(scope="package")
def new_party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewParty]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, {}) as service, parties(service) as new:
        yield new
