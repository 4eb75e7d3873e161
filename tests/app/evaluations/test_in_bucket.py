"""Evaluations of arrays in a bucket, asked for on one machine and computed on another."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from app.arrays.bucket import Bucket
from app.arrays.store import ArrayStore
from app.evaluations.computing.process_messages import StoreTask
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market, result
from tests.app.requests.market import draft, put
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

HELD = data(20, 12)


def test_a_machine_with_a_folder_of_its_own_computes_what_was_uploaded_to_another(
    http: Callable[..., Party],
    service: Service,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = ArrayStore(tmp_path / "web", Bucket(address, retry_seconds=10))
    monkeypatch.setitem(service.app.state._state, "array_store", here)
    worker = Jobs(service, StoreTask(folder=str(tmp_path / "worker"), bucket=address))
    buyer, (seller, _), request_id, (contribution_id, _) = market(http, HELD, ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)

    worker.evaluations.publish(evaluation_id, worker.computed(worker.evaluations, evaluation_id))

    assert len(result(buyer, evaluation_id)["sellers"]) == 2
    scores = seller.get(f"/v1/evaluations/{evaluation_id}/scores/{contribution_id}").json()
    assert scores["noisiest"]
    measure = buyer.get(f"/v1/requests/{request_id}/measure")
    assert measure.headers["content-length"] == str(len(measure.content))
    assert not [file for file in (tmp_path / "web" / "incoming").iterdir() if file.is_file()]


@pytest.mark.parametrize("silent", [False, True])
def test_during_an_outage_of_the_bucket_uploads_are_refused_for_a_retry(
    silent: bool,
    http: Callable[..., Party],
    service: Service,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as accepting:
        port = accepting.getsockname()[1] if silent else 9
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        away = ArrayStore(tmp_path, Bucket(address, retry_seconds=0.1))
        monkeypatch.setitem(service.app.state._state, "array_store", away)
        buyer = http("buyer")
        request_id = draft(buyer, HELD.buyer.dimension)

        refused = put(buyer, f"/v1/requests/{request_id}/measure", HELD.buyer.points)

    assert problem(refused) == (503, "storage-unavailable")
    assert refused.headers["retry-after"] == "5"
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
