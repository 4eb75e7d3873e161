"""References: parameters of γ, from which everybody derives the same points."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.app.conftest import Party, problem
from tests.conftest import ON_POSTGRES
from wassay import transport

Http = Callable[..., Party]

NEW: dict[str, Any] = {"size": 3, "dimension": 2, "distribution": {"kind": "normal"}}


@pytest.mark.parametrize(
    "seed", ["0", "1", str(2**53 + 1), str(2**64), str(2**128 - 1)], ids=lambda seed: seed[:6]
)
def test_a_seed_of_128_bits_survives_the_round_trip(http: Http, seed: str) -> None:
    buyer = http("buyer")
    made = buyer.post("/v1/references", json=NEW | {"seed": seed}).json()
    listed = buyer.get("/v1/references").json()["items"]
    assert made["seed"] == seed
    assert listed == [made]


@ON_POSTGRES
def test_a_seed_of_129_bits_is_refused(http: Http) -> None:
    response = http("buyer").post("/v1/references", json=NEW | {"seed": str(2**128)})
    assert problem(response) == (422, "invalid")
    assert response.json()["errors"][0]["location"] == "body.seed"


@ON_POSTGRES
@pytest.mark.parametrize("seed", [7, "-1", "0x10", "1.0", " 1", "", "١"])
def test_a_seed_is_decimal_digits_in_a_string(http: Http, seed: object) -> None:
    response = http("buyer").post("/v1/references", json=NEW | {"seed": seed})
    assert problem(response) == (422, "invalid")


@ON_POSTGRES
def test_seeds_that_the_service_draws_differ_and_are_long(http: Http) -> None:
    buyer = http("buyer")
    seeds = {int(buyer.post("/v1/references", json=NEW).json()["seed"]) for _ in range(8)}
    assert len(seeds) == 8
    assert max(seeds) > 2**100


@ON_POSTGRES
def test_buyer_and_seller_derive_the_same_points_from_what_is_stored(http: Http) -> None:
    made = http("buyer").post("/v1/references", json=NEW | {"seed": "11"}).json()
    derived = transport.Reference(
        made["size"],
        made["dimension"],
        transport.Normal(made["distribution"]["mean"], made["distribution"]["std"]),
        int(made["seed"]),
        made["derivation"],
    ).measure()
    direct = transport.Reference(3, 2, transport.Normal(), 11).measure()
    np.testing.assert_array_equal(derived.points, direct.points)


@ON_POSTGRES
@pytest.mark.parametrize(
    "distribution",
    [
        {"kind": "normal", "mean": -1.5, "std": 2.0},
        {"kind": "normals", "mean": [-1.5, 0.0], "std": [2.0, 0.5]},
        {"kind": "gamma", "shape": 2.0, "scale": 0.5},
        {"kind": "uniform", "low": -1.0, "high": 1.0},
        {"kind": "constant", "value": 0.25},
    ],
    ids=lambda distribution: distribution["kind"],
)
def test_every_distribution_comes_back_as_it_was_sent(
    http: Http, distribution: dict[str, Any]
) -> None:
    response = http("buyer").post("/v1/references", json=NEW | {"distribution": distribution})
    assert response.json()["distribution"] == distribution


@ON_POSTGRES
@pytest.mark.parametrize(
    ("field", "value", "location"),
    [
        ("size", 0, "body.size"),
        ("size", 2.5, "body.size"),
        ("size", True, "body.size"),
        ("dimension", 2**31, "body.dimension"),
        ("dimension", 10**30, "body.dimension"),
        ("distribution", {"kind": "cauchy"}, "body.distribution.kind"),
        ("distribution", {"kind": "normal", "std": 0}, "body.distribution.normal.std"),
        ("distribution", {"kind": "constant", "val": 0}, "body.distribution.constant.val"),
        ("distribution", {"kind": "normal", "mean": 1e999}, "body.distribution.normal.mean"),
        ("distribution", {"kind": "uniform", "low": 1, "high": 1}, "body.distribution.uniform"),
        (
            "distribution",
            {"kind": "normals", "mean": [0], "std": [1, 1]},
            "body.distribution.normals",
        ),
        ("distribution", {"kind": "normals", "mean": [0], "std": [1]}, "body"),
        ("points", [[1.0]], "body.points"),
    ],
)
def test_a_bad_parameter_is_named(http: Http, field: str, value: object, location: str) -> None:
    buyer = http("buyer")
    response = buyer.post(
        "/v1/references",
        content=json.dumps(NEW | {field: value}),  # json.dumps writes Infinity, which is not JSON
        headers={"Content-Type": "application/json"},
    )
    assert problem(response) == (422, "invalid")
    assert response.json()["errors"][0]["location"] == location
    assert buyer.get("/v1/references").json()["items"] == []


@ON_POSTGRES
def test_a_reference_larger_than_the_service_takes_says_the_limit(http: Http) -> None:
    response = http("buyer").post("/v1/references", json=NEW | {"size": 100_001})
    assert problem(response) == (422, "invalid")
    assert (response.json()["expected"], response.json()["received"]) == (100_000, 100_001)


def test_references_are_listed_to_their_buyer_only(http: Http) -> None:
    ada, eve = http("buyer"), http("buyer")
    ada.post("/v1/references", json=NEW)
    assert eve.get("/v1/references").json() == {"items": [], "next_cursor": None}


@ON_POSTGRES
def test_a_seller_registers_no_reference(http: Http) -> None:
    assert problem(http("seller").post("/v1/references", json=NEW)) == (403, "forbidden")


SEALED = NEW | {"disclosure": "sealed", "commitment": "0123456789abcdef" * 4}


@ON_POSTGRES
def test_a_sealed_reference_has_a_commitment_and_no_seed(http: Http) -> None:
    buyer = http("buyer")
    made = buyer.post("/v1/references", json=SEALED).json()
    assert (made["disclosure"], made["seed"]) == ("sealed", None)
    assert made["commitment"] == SEALED["commitment"]
    assert buyer.get(f"/v1/references/{made['id']}").json() == made


@ON_POSTGRES
@pytest.mark.parametrize(
    "new",
    [
        SEALED | {"seed": "1"},
        SEALED | {"commitment": None},
        NEW | {"commitment": SEALED["commitment"]},
        SEALED | {"commitment": "AB" * 32},
        SEALED | {"commitment": "ab" * 31},
        SEALED | {"disclosure": "half-open"},
    ],
)
def test_a_reference_is_either_open_or_sealed(http: Http, new: dict[str, Any]) -> None:
    buyer = http("buyer")
    assert problem(buyer.post("/v1/references", json=new)) == (422, "invalid")
    assert buyer.get("/v1/references").json()["items"] == []


SEALED = NEW | {"disclosure": "sealed", "commitment": "ab" * 32}


@ON_POSTGRES
def test_readers_of_a_request_see_what_its_points_are_projected_from(http: Http) -> None:
    buyer = http("buyer")
    made = buyer.post("/v1/references", json=SEALED | {"projected_from": 5}).json()
    assert (made["dimension"], made["projected_from"]) == (2, 5)
    new = {"title": "Projected", "reference_id": made["id"]}
    request = buyer.post("/v1/requests", json=new).json()
    assert (request["dimension"], request["projected_from"]) == (2, 5)


@ON_POSTGRES
@pytest.mark.parametrize(
    "new",
    [
        NEW | {"projected_from": 5},
        *(SEALED | {"projected_from": received} for received in (2, 1, 0, True, "5", 2**31)),
    ],
)
def test_only_sealed_references_project_and_only_from_more_dimensions(
    http: Http, new: dict[str, Any]
) -> None:
    assert problem(http("buyer").post("/v1/references", json=new)) == (422, "invalid")
