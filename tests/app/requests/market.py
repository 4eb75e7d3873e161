"""Short functions for the calls of buyers and sellers that many tests make."""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import update

from app.requests.models import Request
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
    response = buyer.post(
        "/v1/references",
        json={"size": 3, "dimension": dimension, "distribution": {"kind": "normal"}},
    )
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def draft(buyer: Party, dimension: int = 2, **terms: Any) -> str:
    response = buyer.post(
        "/v1/requests",
        json={"title": "Digits", "reference_id": reference(buyer, dimension), **terms},
    )
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def opened(buyer: Party, **terms: Any) -> str:
    request_id = draft(buyer, **terms)
    assert put(buyer, f"/v1/requests/{request_id}/measure", POINTS).status_code == 201
    response = buyer.post(f"/v1/requests/{request_id}/open")
    assert response.status_code == 200, response.text
    return request_id


def invite(buyer: Party, request_id: str, seller: Party) -> str:
    response = buyer.post(
        f"/v1/requests/{request_id}/invitations", json={"account_id": seller.account_id}
    )
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def begun(seller: Party, request_id: str, mode: str = "measure", **terms: Any) -> str:
    response = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": mode, **terms})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def filled(seller: Party, request_id: str, **terms: Any) -> str:
    contribution_id = begun(seller, request_id, **terms)
    for s in (0.25, 0.5, 0.75):
        path = f"/v1/contributions/{contribution_id}/measures/{s}"
        assert put(seller, path, POINTS + s).status_code == 201
    return contribution_id


def submitted(seller: Party, request_id: str, **terms: Any) -> str:
    contribution_id = filled(seller, request_id, **terms)
    response = seller.post(f"/v1/contributions/{contribution_id}/submit", json={})
    assert response.status_code == 200, response.text
    return contribution_id


def refused(response: httpx.Response, status: int, slug: str) -> dict[str, Any]:
    """Check that a response is the problem `slug`, and return its body."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["type"] == f"/problems/{slug}", body
    assert body["request_id"] == response.headers["x-request-id"]
    return body


def footprint(service: Service) -> Mapping[str, object]:
    """Return all rows and files that an upload, a request or a contribution can leave."""
    with service.database.snapshot() as session:
        connection = session.connection()
        rows: dict[str, object] = {}
        for table in TABLES:
            shown = "*" if connection.dialect.name == "sqlite" else f'"{table}"::text'
            # The driver is fast enough for the thousands of rows of other tests.
            cursor = connection.connection.cursor()
            cursor.execute(f'SELECT {shown} FROM "{table}"')
            rows[table] = set(cursor.fetchall())
            cursor.close()
    rows["files"] = set(files_in(str(service.settings.data_folder / "arrays")))
    return rows


def files_in(folder: str) -> Iterator[tuple[str, int]]:
    """Yield the path and the size of each file in a folder and its subfolders."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from files_in(entry.path)
        else:
            yield entry.path, entry.stat().st_size


def expire(service: Service, request_id: str) -> None:
    """Set the time at which a request expires to the past."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    with service.database.transaction() as session:
        session.execute(update(Request).where(Request.id == request_id).values(expires_at=past))
