"""Limits on how many evaluations of an account and of an organisation are unfinished."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.app.conftest import Party, Service, problem


@pytest.fixture
def limits(service: Service) -> Iterator[Callable[..., None]]:
    """Change settings of the running service."""
    usual = service.app.state.settings

    def change(**changes: Any) -> None:
        service.app.state.settings = usual.model_copy(update=changes)

    yield change
    service.app.state.settings = usual


def test_calls_at_once_exceed_neither_the_limit_of_an_account_nor_of_its_organisation(
    buyer_of: Callable[[str], tuple[Party, str]], limits: Callable[..., None]
) -> None:
    limits(account_evaluations=3, organisation_evaluations=5)
    (ada, own), (bob, others) = buyer_of("Limited"), buyer_of("limited ")

    def ask(call: tuple[Party, str]) -> Any:
        party, request_id = call
        return party.post(f"/v1/requests/{request_id}/evaluations", json={})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, [(ada, own)] * 8))
        of_colleague = list(threads.map(ask, [(bob, others)] * 4))

    assert Counter(answer.status_code for answer in answers) == {202: 3, 429: 5}
    assert Counter(answer.status_code for answer in of_colleague) == {202: 2, 429: 2}
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert problem(refused) == (429, "too-many-evaluations")
    assert refused.headers["Retry-After"] == "5"
    assert (refused.json()["expected"], refused.json()["received"]) == (3, 3)
    by_organisation = next(answer for answer in of_colleague if answer.status_code == 429)
    assert "of your organisation; it has 5" in by_organisation.json()["detail"]

    accepted = next(answer for answer in answers if answer.status_code == 202)
    ada.post(f"/v1/evaluations/{accepted.json()['id']}/cancel")
    assert ask((ada, own)).status_code == 202
