"""The file in which a buyer saves a request."""

import json
import stat
from pathlib import Path

import pytest

from wassay import Normal, Reference
from wassay.client import InvalidArgumentError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.shared.terms import Terms
from wassay.reference_key import ReferenceKey
from wassay.transport import DistanceBand, ProjectionScaling, RandomProjection

OPEN = SavedRequest("req_1", PrivatePush(0.1 + 0.2, 1 / 3), None, None)
SEALED = SavedRequest(
    "req_1",
    PrivatePush(
        0.1 + 0.2,
        1 / 3,
        ProjectionScaling(9, 3, (DistanceBand((0.1 + 0.2, 1.0), (0.1, 0.5), (0.2, 2 / 3)),)),
    ),
    ReferenceKey.draw(Reference(2, 3, Normal(), 2**128 - 1), 4.0, RandomProjection.draw(9, 3)),
    "cd" * 32,
    ("acc_1", "acc_2"),
    terms=Terms.stated(
        order=1,
        sweep=(0.75, 0.1 + 0.2, 0.5),
        modes=["measure", "cost-block"],
        reveals_measure=True,
        reveals_scores=False,
        interpolation="exact",
        labelled=True,
        class_names=["a", "b"],
        epsilon=1 / 3,
        radius=2.0,
    ),
)


KEPT = {
    "request_id": "r",
    "t0": 0.5,
    "projection_spread": 0,
    "scaling": None,
    "reference_key": None,
    "measure_digest": None,
    "recipients": [],
    "recipe": None,
    "terms": None,
}


@pytest.mark.parametrize("kept", [OPEN, SEALED], ids=["open", "sealed"])
def test_a_saved_request_comes_back_to_the_last_digit(kept: SavedRequest, tmp_path: Path) -> None:
    kept.save(tmp_path / "request.json")
    assert SavedRequest.load(tmp_path / "request.json") == kept


def test_a_saved_request_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    SEALED.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    OPEN.save(path)
    with pytest.raises(FileExistsError):
        SavedRequest("req_2", PrivatePush(0.5, 0.0), None, None).save(path)
    assert SavedRequest.load(path).request_id == "req_1"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        json.dumps(KEPT | {"t0": 2}),
        json.dumps(KEPT | {"scaling": {"dimension": 3, "reduced": 3}}),
        json.dumps(KEPT | {"reference_key": "{}"}),
        json.dumps({name: value for name, value in KEPT.items() if name != "measure_digest"}),
    ],
)
def test_another_file_is_refused_as_a_saved_request(tmp_path: Path, content: str) -> None:
    path = tmp_path / "request.json"
    path.write_text(content)
    with pytest.raises(InvalidArgumentError, match="expected the file that Request"):
        SavedRequest.load(path)


def test_a_recipient_named_later_is_kept_in_the_saved_file(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    SEALED.save(path)
    SEALED.with_recipient("acc_3").with_recipient("acc_1").replace_file(path)
    assert SavedRequest.load(path).recipients == ("acc_1", "acc_2", "acc_3")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["request.json"]
