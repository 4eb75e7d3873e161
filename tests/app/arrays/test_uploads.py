"""Valid uploads of arrays are stored bit for bit."""

import hashlib
import io
import json
import tracemalloc
from typing import Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from tests.app.arrays.digest import digest_of
from tests.app.conftest import Party, Service
from tests.app.requests.market import POINTS, Parties, draft, footprint, npy, put, refused
from tests.conftest import ON_SQLITE


def test_an_upload_is_named_by_the_sha_256_of_its_bytes(
    buyer: Party, path: str, service: Service
) -> None:
    content = npy(POINTS)
    response = put(buyer, path, content, Content_Digest=digest_of(content))
    digest = hashlib.sha256(content).hexdigest()
    assert response.status_code == 201
    assert response.headers["etag"] == f'"{digest}"'
    assert response.json() == {
        "digest": digest,
        "rows": 3,
        "columns": 2,
        "weighted": False,
        "bytes": len(content),
        "created_at": response.json()["created_at"],
        "deleted_at": None,
    }
    kept = service.settings.data_folder / "arrays" / "sha256" / digest[:2] / digest[2:]
    assert kept.read_bytes() == content


@given(
    array=arrays(
        st.sampled_from([np.float32, np.float64]),
        st.tuples(st.integers(1, 12), st.just(2)),
        elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
    ),
    fortran=st.booleans(),
)
@examples(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_uploaded_comes_back_bit_for_bit(
    buyer: Party, path: str, array: NDArray[np.float64], fortran: bool
) -> None:
    content = npy(np.asfortranarray(array) if fortran else array)
    assert put(buyer, path, content).status_code in {200, 201}
    response = buyer.get(path)
    assert response.content == content
    assert response.headers["content-type"] == "application/x-npy"
    assert response.headers["content-digest"] == digest_of(content)
    assert response.headers["etag"] == f'"{hashlib.sha256(content).hexdigest()}"'


def test_the_same_upload_again_changes_nothing(buyer: Party, path: str, service: Service) -> None:
    first = put(buyer, path, POINTS)
    before = footprint(service)
    again = put(buyer, path, POINTS)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert footprint(service) == before


def test_repeating_an_upload_restores_lost_bytes(buyer: Party, path: str, service: Service) -> None:
    content = npy(np.array([[0.25, 4.0], [1.0, 0.5]]))
    digest = put(buyer, path, content).json()["digest"]
    service.app.state.array_store.local_path(digest).unlink()
    lost = refused(buyer.get(path), 500, "storage-damaged")
    assert digest in lost["detail"]
    assert put(buyer, path, content).status_code == 200
    assert buyer.get(path).content == content


def test_another_upload_replaces_the_first(buyer: Party, path: str) -> None:
    first, other = put(buyer, path, POINTS), put(buyer, path, POINTS + 1)
    assert (first.status_code, other.status_code) == (201, 200)
    assert buyer.get(path).content == npy(POINTS + 1)


def test_two_buyers_can_store_one_array(http: Parties) -> None:
    for buyer in (http("buyer"), http("buyer")):
        path = f"/v1/requests/{draft(buyer)}/measure"
        assert put(buyer, path, POINTS).status_code == 201
        assert buyer.get(path).content == npy(POINTS)


@ON_SQLITE
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_body_is_never_held_in_memory(buyer: Party, order: Literal["C", "F"]) -> None:
    array = np.zeros((100_000, 84), order=order)
    content = npy(array)
    path = f"/v1/requests/{draft(buyer, dimension=84)}/measure"
    pieces = (content[start : start + 2**16] for start in range(0, len(content), 2**16))
    tracemalloc.start()
    response = buyer.put(path, content=pieces, headers={"Content-Type": "application/x-npy"})
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert response.status_code == 201, response.text
    assert response.json()["bytes"] == len(content) > 67e6
    assert held < 12e6


@ON_SQLITE
def test_json_is_kept_as_npy_in_double_precision(buyer: Party, path: str) -> None:
    body = {"points": [[0.1, 1], [2, 3e-300]], "weights": [0.25, 0.75]}
    response = put(buyer, path, json.dumps(body).encode(), media_type="application/json")
    assert response.status_code == 201
    assert response.json()["weighted"] is True
    kept = buyer.get(path)
    assert kept.headers["x-wassay-weights"] == "last_column"
    array = np.load(io.BytesIO(kept.content))
    assert array.dtype == np.float64
    assert array.tolist() == [[0.1, 1.0, 0.25], [2.0, 3e-300, 0.75]]
    assert buyer.get(path, headers={"Accept": "application/json"}).json() == body


@ON_SQLITE
@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
def test_weights_may_miss_one_by_the_rounding_of_their_precision(
    buyer: Party, path: str, dtype: str
) -> None:
    weights = np.full(1000, 1 / 1000, dtype=dtype)
    array = np.column_stack([np.zeros((1000, 2), dtype=dtype), weights])
    response = put(buyer, path, array, weights="last_column")
    assert response.status_code == 201, response.text
    assert (response.json()["columns"], response.json()["weighted"]) == (2, True)


@ON_SQLITE
def test_a_point_may_weigh_nothing(buyer: Party, path: str) -> None:
    array = np.column_stack([POINTS, [0.5, 0.0, 0.5]])
    assert put(buyer, path, array, weights="last_column").status_code == 201


@ON_SQLITE
def test_one_of_several_digests_is_verified(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    digest = digest_of(npy(POINTS))
    for field in (f"sha-512=:AAAA:, {digest}", f"unknown;a=1, {digest};b"):
        with subtests.test(field):
            assert put(buyer, path, POINTS, Content_Digest=field).is_success
