"""The key of a sealed reference: its content, its commitment, and what it does not contain."""

import hashlib
import json
from typing import Any

import numpy as np
import pytest

from wassay import (
    Constant,
    Gamma,
    Measure,
    Normal,
    Normals,
    Reference,
    SealingError,
    TransportError,
    Uniform,
)
from wassay.reference_key import ReferenceKey
from wassay.transport import Isometry, RandomProjection

NORMALS = Normals((1.0, -1.0), (2.0, 0.5))
SEED = 2**127 + 12345
KEY = ReferenceKey.draw(Reference(3, 2, Normal(0.5, 2.0), SEED), 4.0)


@pytest.mark.parametrize(
    "distribution",
    [Normal(1.0, 2.0), NORMALS, Gamma(2.0, 0.5), Uniform(-1.0, 1.0), Constant(3.0)],
)
def test_a_key_comes_back_as_it_was_written(distribution: Any) -> None:
    key = ReferenceKey.draw(Reference(3, 2, distribution, SEED), 0.25)
    again = ReferenceKey.from_text(key.text)
    assert again == key
    assert again.commitment == key.commitment
    measure = Measure(np.eye(2))
    np.testing.assert_array_equal(again.conceal(measure).points, key.conceal(measure).points)


def test_the_commitment_is_the_sha_256_of_the_text() -> None:
    assert KEY.commitment == hashlib.sha256(KEY.text.encode()).hexdigest()
    spaced = json.dumps(dict(reversed(json.loads(KEY.text).items())), indent=3)
    assert ReferenceKey.from_text(spaced).commitment == KEY.commitment


def test_the_text_is_json_with_sorted_names_and_no_spaces() -> None:
    assert KEY.text == json.dumps(json.loads(KEY.text), sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize(
    "field", ["size", "seed", "isometry_key", "isometry_scale", "nonce", "distribution"]
)
def test_any_change_breaks_the_commitment(field: str) -> None:
    document = json.loads(KEY.text)
    other = json.loads(ReferenceKey.draw(Reference(4, 2, Normal(), SEED + 1), 8.0).text)
    assert document[field] != other[field]
    document[field] = other[field]
    assert ReferenceKey.from_text(json.dumps(document)).commitment != KEY.commitment


def test_the_same_reference_is_never_committed_to_alike() -> None:
    isometry = Isometry.draw(2, 1.0)
    first, again = (
        ReferenceKey(KEY.reference, isometry, ReferenceKey.draw(KEY.reference, 1.0).nonce)
        for _ in range(2)
    )
    assert first.commitment != again.commitment


def test_nothing_of_a_key_is_shown_in_logs() -> None:
    assert repr(KEY) == "ReferenceKey()"
    document = json.loads(KEY.text)
    document["isometry_scale"] = "many"
    document["nonce"] = "secret"
    with pytest.raises(SealingError, match="isometry_scale, nonce") as refused:
        ReferenceKey.from_text(json.dumps(document))
    for secret in ("secret", "many", str(SEED), document["isometry_key"]):
        assert secret not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", json.dumps(json.loads(KEY.text) | {"version": 2})]
)
def test_what_is_no_key_of_version_1_is_refused(text: str) -> None:
    with pytest.raises(SealingError, match="version 1"):
        ReferenceKey.from_text(text)


@pytest.mark.parametrize("change", [{"size": "3"}, {"isometry_scale": "4.0"}, {"colour": "red"}])
def test_numbers_in_quotes_and_unknown_members_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(SealingError, match=f"received wrong {next(iter(change))}"):
        ReferenceKey.from_text(json.dumps(json.loads(KEY.text) | change))


@pytest.mark.parametrize(
    "change", [{"isometry_scale": 0.0}, {"derivation": 2}, {"seed": str(2**128)}, {"size": 0}]
)
def test_parameters_out_of_their_range_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(TransportError):
        ReferenceKey.from_text(json.dumps(json.loads(KEY.text) | change))


def test_isometry_and_reference_act_on_one_space() -> None:
    with pytest.raises(
        SealingError, match="2 coordinates, as the reference has, received one of 3"
    ):
        ReferenceKey(KEY.reference, Isometry.draw(3, 1.0), bytes(32))


def test_a_key_with_a_projection_comes_back_as_it_was_written() -> None:
    key = ReferenceKey.draw(KEY.reference, 0.25, RandomProjection.draw(5, 2))
    again = ReferenceKey.from_text(key.text)
    assert (again, again.projected_from) == (key, 5)
    raw = Measure(np.eye(5))
    assert key.projection is not None
    np.testing.assert_array_equal(again.reduce(raw).points, key.projection.apply(raw).points)
    assert KEY.projected_from is None
    assert KEY.reduce(raw) is raw


def test_a_projection_ends_in_the_references_space() -> None:
    with pytest.raises(
        SealingError, match="2 coordinates, as the reference has, received one to 3"
    ):
        ReferenceKey.draw(KEY.reference, 1.0, RandomProjection.draw(5, 3))
