"""What buyers and sellers do, in the fewest words that a test needs."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import inspect, text

from tests.app.conftest import Party, Service

NPY = "application/x-npy"
POINTS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
COSTS = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
TABLES = (
    "requests",
    "buyer_measures",
    "invitations",
    "request_readers",
    "contributions",
    "contribution_arrays",
    "idempotent_calls",
)

Parties = Callable[..., Party]
Footprint = Callable[[], Mapping[str, object]]


def npy(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def put(
    party: httpx.Client,
    path: str,
    array: NDArray[Any] | bytes,
    *,
    weights: str | None = None,
    media_type: str = NPY,
    **headers: str,
) -> httpx.Response:
    content = array if isinstance(array, bytes) else npy(array)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return party.put(
        path,
        content=content,
        params={} if weights is None else {"weights": weights},
        headers={"Content-Type": media_type, **named},
    )


def reference(buyer: Party, dimension: int = 2) -> str:
    answer = buyer.post(
        "/v1/references",
        json={"size": 3, "dimension": dimension, "distribution": {"kind": "normal"}},
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def draft(buyer: Party, dimension: int = 2, **terms: Any) -> str:
    answer = buyer.post(
        "/v1/requests",
        json={"title": "Digits", "reference_id": reference(buyer, dimension), **terms},
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def opened(buyer: Party, **terms: Any) -> str:
    request_id = draft(buyer, **terms)
    assert put(buyer, f"/v1/requests/{request_id}/measure", POINTS).status_code == 201
    answer = buyer.post(f"/v1/requests/{request_id}/open")
    assert answer.status_code == 200, answer.text
    return request_id


def invite(buyer: Party, request_id: str, seller: Party) -> str:
    answer = buyer.post(
        f"/v1/requests/{request_id}/invitations", json={"account_id": seller.account_id}
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def begun(seller: Party, request_id: str, mode: str = "measure", **terms: Any) -> str:
    answer = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": mode, **terms})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def filled(seller: Party, request_id: str, **terms: Any) -> str:
    contribution_id = begun(seller, request_id, **terms)
    for s in (0.25, 0.5, 0.75):
        path = f"/v1/contributions/{contribution_id}/measures/{s}"
        assert put(seller, path, POINTS + s).status_code == 201
    return contribution_id


def submitted(seller: Party, request_id: str, **terms: Any) -> str:
    contribution_id = filled(seller, request_id, **terms)
    answer = seller.post(f"/v1/contributions/{contribution_id}/submit", json={})
    assert answer.status_code == 200, answer.text
    return contribution_id


def refused(answer: httpx.Response, status: int, slug: str) -> dict[str, Any]:
    """The problem that an answer is; and it is this one."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["type"] == f"/problems/{slug}", body
    assert body["request_id"] == answer.headers["x-request-id"]
    return body


def footprint(service: Service) -> Mapping[str, object]:
    """Every row and every file that an upload, a request or an answer could have left."""
    with service.database.snapshot() as session:
        assert set(TABLES) <= set(inspect(session.connection()).get_table_names())
        rows: dict[str, object] = {
            table: sorted(map(str, session.execute(text(f'SELECT * FROM "{table}"'))))
            for table in TABLES
        }
    folder = service.settings.data_folder / "arrays"
    rows["files"] = sorted(
        (str(file.relative_to(folder)), file.stat().st_size)
        for file in folder.rglob("*")
        if file.is_file()
    )
    return rows
