"""How much an account and its organisation use, by the API and the command line."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import draft, npy, put
from wassay.cli.commands.usage import usage
from wassay.models import Quota, Usage

Http = Callable[..., Party]
POINTS = np.zeros((3, 2))


def read(party: Party, account_id: str | None = None) -> Usage:
    answer = party.get(f"/v1/accounts/{account_id or party.account_id}/usage")
    return Usage.model_validate(answer.json())


def test_bytes_and_evaluations_of_an_account_count_for_its_organisation(
    http: Http, service: Service
) -> None:
    buyer = http("buyer", organisation="Counted")
    colleague = http("buyer", organisation="Counted")
    put(colleague, f"/v1/requests/{draft(colleague)}/measure", POINTS)
    request_id = market(http, data(10, 12), ["measure"], buyer=buyer)[2]
    evaluation_id = evaluate(buyer, request_id)
    of_buyer, of_colleague = read(buyer), read(colleague)

    settings = service.settings
    stored = of_colleague.account_bytes.used
    assert stored == len(npy(POINTS))
    assert of_buyer.organisation_bytes == of_colleague.organisation_bytes
    assert of_buyer.organisation_bytes == Quota(
        used=stored + of_buyer.account_bytes.used, limit=settings.organisation_bytes
    )
    assert of_buyer.account_evaluations == Quota(used=1, limit=settings.account_evaluations)
    assert of_colleague.account_evaluations.used == 0
    assert of_colleague.organisation_evaluations == Quota(
        used=1, limit=settings.organisation_evaluations
    )
    assert of_buyer.organisation_accounts == 2

    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
    after = read(buyer)
    assert after.organisation_evaluations.used == 0
    assert after.organisation_evaluations_ever == 1


def test_only_an_administrator_reads_the_usage_of_others(http: Http) -> None:
    buyer, other, admin = http("buyer"), http("buyer"), http("admin")
    assert read(admin, buyer.account_id) == read(buyer)
    refused = other.get(f"/v1/accounts/{buyer.account_id}/usage")
    assert problem(refused) == (404, "not-found")


def test_the_command_prints_usage_and_limits(
    http: Http,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    buyer = http("buyer", organisation="Printed")
    put(buyer, f"/v1/requests/{draft(buyer)}/measure", POINTS)
    monkeypatch.setenv("WASSAY_URL", service.url)
    monkeypatch.setenv("WASSAY_API_KEY", buyer.key)
    usage(None)
    printed = capsys.readouterr().out
    assert f"{buyer.account_id} of Printed" in printed
    numbers = f"account, bytes stored {len(npy(POINTS))} {service.settings.account_bytes}"
    assert numbers in [" ".join(line.split()) for line in printed.splitlines()]
