"""The limits on the bytes that an account and an organisation store."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest

from app.accounts.storage_quota import StorageLimits
from app.retention.counting import count_stored_bytes
from tests.app.conftest import Party, Service, problem
from tests.app.requests.market import NPY, draft, npy, put

Http = Callable[..., Party]
SMALL, LARGE = np.zeros((3, 2)), np.zeros((6, 2))
BYTES = len(npy(SMALL))


@pytest.fixture
def limit_bytes(service: Service) -> Iterator[Callable[[int, int], None]]:
    """Set the service's limits on the bytes of an account and of an organisation."""
    usual = service.app.state.storage_limits

    def limit(per_account: int, per_organisation: int) -> None:
        service.app.state.storage_limits = StorageLimits(
            per_account, per_organisation, count_stored_bytes
        )

    yield limit
    service.app.state.storage_limits = usual


def upload(buyer: Party, request_id: str, array: np.ndarray = SMALL) -> httpx.Response:
    return put(buyer, f"/v1/requests/{request_id}/measure", array)


def test_an_array_beyond_the_accounts_bytes_is_refused_before_and_after_its_body_is_read(
    http: Http, limit_bytes: Callable[[int, int], None]
) -> None:
    buyer = http("buyer")
    limit_bytes(2 * BYTES, 10**9)
    first, second, third = (draft(buyer, 2) for _ in range(3))
    assert upload(buyer, first).status_code == upload(buyer, second).status_code == 201

    announced = upload(buyer, third)
    path = f"/v1/requests/{third}/measure"
    in_chunks = buyer.put(path, content=iter([npy(SMALL)]), headers={"Content-Type": NPY})
    in_parts = put(
        buyer,
        path,
        b"",
        content_range=f"bytes */{BYTES}",
        repr_digest=f"sha-256=:{'A' * 43}=:",
    )

    for refused in (announced, in_chunks, in_parts):
        assert problem(refused) == (507, "storage-quota-exceeded")
        assert (refused.json()["expected"], refused.json()["received"]) == (2 * BYTES, 3 * BYTES)
        assert "Expected your account to store at most" in refused.json()["detail"]
    assert buyer.get(path).status_code == 404


def test_replacing_and_deleting_arrays_frees_their_bytes(
    http: Http, limit_bytes: Callable[[int, int], None]
) -> None:
    buyer = http("buyer")
    limit_bytes(2 * BYTES, 10**9)
    first, second = draft(buyer, 2), draft(buyer, 2)
    assert upload(buyer, first, LARGE).status_code == 201
    assert upload(buyer, first, LARGE).status_code == 200
    assert problem(upload(buyer, second)) == (507, "storage-quota-exceeded")

    assert upload(buyer, first, SMALL).status_code == 200
    assert upload(buyer, second).status_code == 201
    third = draft(buyer, 2)
    assert problem(upload(buyer, third)) == (507, "storage-quota-exceeded")
    buyer.post(f"/v1/requests/{first}/cancel")
    assert buyer.delete(f"/v1/requests/{first}/measure").is_success
    assert upload(buyer, third).status_code == 201


def test_uploads_of_colleagues_at_once_do_not_exceed_their_organisations_bytes(
    http: Http, limit_bytes: Callable[[int, int], None]
) -> None:
    limit_bytes(10**9, 3 * BYTES)
    colleagues = [http("buyer", organisation=name) for name in ("Hoarders", "hoarders")]
    calls = [(buyer, draft(buyer, 2)) for buyer in colleagues for _ in range(3)]

    with ThreadPoolExecutor(len(calls)) as threads:
        answers = list(threads.map(lambda call: upload(*call), calls))

    assert Counter(answer.status_code for answer in answers) == {201: 3, 507: 3}
    refused = next(answer for answer in answers if answer.status_code == 507)
    assert "Expected your organisation to store at most" in refused.json()["detail"]
    other = http("buyer", organisation="Never full")
    assert upload(other, draft(other, 2)).status_code == 201


def test_a_sellers_arrays_count_for_the_seller(
    http: Http, limit_bytes: Callable[[int, int], None], service: Service
) -> None:
    buyer, seller = http("buyer"), http("seller", organisation="Sellers with little space")
    request_id = draft(buyer, 2, audience="everyone")
    upload(buyer, request_id)
    assert buyer.post(f"/v1/requests/{request_id}/open").is_success
    begun = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": "measure"})
    limit_bytes(2 * BYTES, 10**9)

    path = f"/v1/contributions/{begun.json()['id']}/measures"
    sent = [put(seller, f"{path}/{s}", SMALL) for s in (0.25, 0.5, 0.75)]

    assert [answer.status_code for answer in sent] == [201, 201, 507]
    with service.database.snapshot() as session:
        stored = count_stored_bytes(session, seller.account_id, "sellers with little space")
    assert (stored.of_account, stored.of_organisation) == (2 * BYTES, 2 * BYTES)
