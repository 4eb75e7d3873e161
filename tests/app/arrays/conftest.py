"""A buyer with a draft whose measure can be uploaded."""

import pytest

from tests.app.conftest import Party
from tests.app.requests.market import Parties, draft


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@pytest.fixture
def path(buyer: Party) -> str:
    return f"/v1/requests/{draft(buyer)}/measure"
