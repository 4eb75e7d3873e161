"""`.npy` files, and files that come through a pipe."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wassay import WassayError
from wassay.files import read_labelled, read_points

POINTS = np.random.default_rng(0).normal(size=(20, 2))


@pytest.mark.parametrize("kept", [0, 5, 20, 130, 200])
def test_a_truncated_file_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "points.npy"
    np.save(path, POINTS)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(WassayError, match=r"points.npy: expected a complete .npy file of numbers"):
        read_points(path)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(3.0),
        np.zeros((2, 2, 2)),
        np.array([["a"]]),
        np.array([["2026-01-01"]], dtype="datetime64[D]"),
        np.zeros(2, dtype=[("x", "f8"), ("y", "f8")]),
    ],
    ids=lambda array: str(array.dtype),
)
def test_an_array_that_is_no_matrix_of_numbers_is_described(
    tmp_path: Path, array: np.ndarray
) -> None:
    path = tmp_path / "points.npy"
    np.save(path, array)
    with pytest.raises(WassayError, match=r"points.npy: expected a matrix of numbers, with"):
        read_points(path)


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "points.npy"
    np.save(path, np.array([[None]]), allow_pickle=True)
    with pytest.raises(WassayError, match="without Python objects"):
        read_points(path)


def test_classes_in_bytes_are_text_or_refused(tmp_path: Path) -> None:
    points, classes = tmp_path / "points.npy", tmp_path / "classes.npy"
    np.save(points, POINTS[:2])
    np.save(classes, np.array(["Müller".encode(), b"b"]))
    _, labels = read_labelled(points, classes=classes)
    assert labels is not None
    assert labels.tolist() == ["Müller", "b"]
    np.save(classes, np.array([b"M\xfcller", b"b"]))
    with pytest.raises(WassayError, match=r"classes.npy: expected classes in UTF-8"):
        read_labelled(points, classes=classes)
    np.save(classes, np.zeros((2, 1)))
    with pytest.raises(
        WassayError, match=r"classes.npy: .* a class for each point, shape \(n,\), received"
    ):
        read_labelled(points, classes=classes)


@pytest.mark.parametrize("suffix", ["npy", "csv", "parquet", "feather"])
def test_a_pipe_is_known_by_its_first_bytes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"points.{suffix}"
    frame = pd.DataFrame(POINTS, columns=["x", "y"])
    match suffix:
        case "npy":
            np.save(path, POINTS)
        case "csv":
            frame.to_csv(path, index=False)
        case "parquet":
            frame.to_parquet(path)
        case _:
            frame.to_feather(path)
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(path.read_bytes())
    try:
        np.testing.assert_array_equal(read_points(Path(f"/dev/fd/{reading}")), POINTS)
    finally:
        os.close(reading)


def test_a_file_of_unknown_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "points.xlsx"
    path.write_bytes(b"PK\x03\x04 a workbook")
    with pytest.raises(WassayError, match=r"points.xlsx: .*\.npy, .*the suffix '.xlsx'"):
        read_points(path)


def test_the_audit_reads_from_a_pipe_and_says_what_it_left_out(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", POINTS)
    pd.DataFrame(POINTS, columns=["x", "y"]).to_csv(tmp_path / "x.csv")
    told = []
    for file in ("<(cat x.npy)", "x.csv"):
        command = f"{sys.executable} -m wassay audit {file} --seed 1 --open"
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        told.append((done.stdout, done.stderr))
    assert told[0][0] == told[1][0] != ""
    assert told[0][1] == ""
    assert told[1][1] == ("wassay: x.csv: left out '': names of rows, not coordinates\n")
