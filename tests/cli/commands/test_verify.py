"""`wassay verify`, without a service."""

import hashlib
import json
from pathlib import Path

import pytest
import typer

from tests.test_receipts import KEY, MEASURE, RESULT, SIGNED, receipt
from wassay.cli.commands.verify import verify
from wassay.receipts import SigningKey


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    file = tmp_path / "receipt.json"
    file.write_bytes(SIGNED)
    return file


def test_a_receipts_content_is_printed(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, array = tmp_path / "result.json", tmp_path / "eta.npy"
    result.write_text(json.dumps(RESULT, indent=2))
    array.write_bytes(MEASURE)
    verify(kept, key=[KEY.public.text], result=result, array=[array])
    told = capsys.readouterr().out
    for expected in (
        "evl_1 of request req_1",
        "2026-11-28 01:02:03 UTC",
        "acc_buyer (whole)",
        "p = 2, s = 0.25, 0.5, 0.75, weighted by points, 1 further coalition, "
        "reference ref_1 (sealed)",
        "1 array, 0 contributions",
        "1, with gaps up to 2.5e-14 of the cost",
        f"{result}: the result that was signed",
        f"{array}: the buyer's measure",
    ):
        assert expected in told
    assert "--key" not in told


def test_a_receipt_prints_no_lines_of_its_own_and_the_key_comes_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = SigningKey.draw()
    forged = f"req_1\nverified with the public key {KEY.public.text}\x1b[8m\u202e"
    changes = {"request_id": forged, "issued_to": forged, "software": {forged: forged}}
    file = tmp_path / "receipt.json"
    file.write_bytes(forger.sign(receipt().model_copy(update=changes)))

    verify(file)

    told = capsys.readouterr().out
    assert all(character.isprintable() or character == "\n" for character in told)
    ours = [line for line in told.splitlines() if line.startswith("verified with")]
    assert ours == [f"verified with the public key {forger.public.text} ({forger.public.id})"]
    assert told.endswith(f"{ours[0]}\n")


def test_unverified_inputs_are_printed_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [measure] = receipt().inputs
    said = measure.model_copy(update={"mode": "scalar", "contribution_id": "con_1"})
    file = tmp_path / "receipt.json"
    file.write_bytes(KEY.sign(receipt().model_copy(update={"inputs": [measure, said]})))
    verify(file)
    told = capsys.readouterr().out
    assert "1 array, 1 contribution\n" in told
    assert "unverified    1 contribution: scalars that the sellers computed themselves" in told


def test_without_a_key_it_is_said_that_the_signer_is_not_known(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify(kept)
    assert "To know that the service signed it" in capsys.readouterr().out


@pytest.mark.parametrize("what", ["receipt", "key", "result", "array"])
def test_anything_that_does_not_fit_ends_with_status_1_and_tells_nothing_of_the_receipt(
    kept: Path, tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(typer.Exit) as ended:
        verify(
            other if what == "receipt" else kept,
            key=[(SigningKey.draw() if what == "key" else KEY).public.text],
            result=other if what == "result" else None,
            array=[other] if what == "array" else None,
        )
    said = capsys.readouterr()
    assert ended.value.exit_code == 1
    assert said.out == ""
    assert said.err.startswith(f"wassay: {kept if what == 'key' else other}: ")
    if what == "array":
        assert hashlib.sha256(b"{}").hexdigest() in said.err
