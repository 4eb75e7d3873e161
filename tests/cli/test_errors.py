"""Error messages of the command line about files, in place of the operating system's numbers."""

from pathlib import Path

import numpy as np
import pytest
import typer

from wassay import RecipeError
from wassay.cli.commands.ask import ask
from wassay.cli.commands.audit import audit
from wassay.cli.commands.ledger import ledger
from wassay.cli.errors import explained

EXPECTED = (
    "expected a complete .npy file of numbers, received something else: save the array with "
    "numpy.save, without Python objects in it (dtype=float)"
)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize(
    "content",
    [b"", b"1,2\n3,4\n", b"\x93NUMPY\x01\x00v", b"PK\x03\x04"],
    ids=["empty", "text", "cut off", "archive"],
)
def test_a_file_of_something_else_is_no_reason_to_use_pickle(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.npy"
    file.write_bytes(content)
    with pytest.raises(typer.Exit):
        audit(file)
    assert said(capsys) == f"wassay: {file}: {EXPECTED}\n"


def test_objects_are_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "objects.npy", np.array([{}, {}]))
    with pytest.raises(typer.Exit):
        audit(tmp_path / "objects.npy")
    assert said(capsys) == f"wassay: {tmp_path / 'objects.npy'}: {EXPECTED}\n"


def test_files_of_other_formats_are_refused_with_the_known_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "many.npz"
    np.savez(file, np.zeros((2, 2)))
    with pytest.raises(typer.Exit):
        audit(file)
    assert said(capsys) == (
        f"wassay: {file}: expected a file of points (.arrow, .arrows, .csv, .feather, .npy, "
        ".parquet, .tsv), received a file with the suffix '.npz' that begins like no "
        "known format: write the points in one of these formats\n"
    )


def test_a_refused_request_saves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WASSAY_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("WASSAY_API_KEY", "none")
    file, keep = tmp_path / "needed.npy", tmp_path / "request.json"
    file.write_text("1,2\n3,4\n")
    with pytest.raises(typer.Exit):
        ask(file, keep, title="T", t0=0.4)
    assert said(capsys) == f"wassay: {file}: {EXPECTED}\n"
    assert not keep.exists()
    keep.write_text("precious")  # the existing file may be the only copy of another request's t0
    np.save(file, np.zeros((2, 2)))
    with pytest.raises(typer.Exit):
        ask(file, keep, title="T", t0=0.4)
    assert said(capsys) == f"wassay: {keep} exists already; name a new file\n"
    assert keep.read_text() == "precious"


def test_unreadable_and_unwritable_files_are_reported_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit):
        ledger(tmp_path / "absent.json")
    assert said(capsys) == f"wassay: {tmp_path / 'absent.json'} does not exist\n"
    with pytest.raises(typer.Exit):
        ledger(tmp_path)
    assert said(capsys) == f"wassay: {tmp_path} is a folder; name a file\n"
    with pytest.raises(typer.Exit), explained():
        (tmp_path / "absent" / "receipt.json").open("xb")
    assert "does not exist, nor does its folder" in said(capsys)
    (tmp_path / "receipt.json").touch()
    with pytest.raises(typer.Exit), explained():
        (tmp_path / "receipt.json").open("xb")
    assert "receipt.json exists already; name a new file" in said(capsys)


@pytest.mark.parametrize(
    ("advice", "option"),
    [
        ("pass rename={'INCOME': 'income'}", "pass --rename INCOME=income"),
        ("pass rename={'a b': 'b', 'b': 'a b'}", "pass --rename 'a b=b' --rename 'b=a b'"),
        ("pass factors={'income': 1000}", "pass --factor income=1000"),
        ("pass accept_differences=['unit:income']", "pass --accept unit:income"),
        ("pass rename={'a}': 'b'}", "pass rename={'a}': 'b'}"),
    ],
)
def test_advice_about_arguments_names_options(
    advice: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit), explained():
        raise RecipeError(f"{advice}.")
    assert said(capsys) == f"wassay: {option}.\n"
