"""Parquet files, as pandas and pyarrow write them."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from wassay import WassayError
from wassay.files import read_labelled, read_points


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([Decimal("1.50"), Decimal("-2.25")], pa.decimal128(10, 2)), [1.5, -2.25]),
        (pa.array([Decimal("1.50"), Decimal("-2.25")], pa.decimal256(40, 2)), [1.5, -2.25]),
        (pa.array([1.5, -2.25], pa.float16()), [1.5, -2.25]),
        (pa.array([1.5, -2.25], pa.float32()), [1.5, -2.25]),
        (pa.array([2**63, 1], pa.uint64()), [2.0**63, 1.0]),
        (pa.array([2**62 + 1, 1], pa.int64()), [2.0**62, 1.0]),
        (pa.array([True, False]), [1.0, 0.0]),
        (pa.array([1.5, -2.25]).dictionary_encode(), [1.5, -2.25]),
    ],
    ids=lambda each: str(getattr(each, "type", "")),
)
def test_numbers_of_every_type_are_coordinates(
    tmp_path: Path, column: pa.Array, values: list[float]
) -> None:
    path = tmp_path / "points.parquet"
    parquet.write_table(pa.table({"x": column}), path)
    points = read_points(path)
    assert points.dtype == np.float64
    assert points[:, 0].tolist() == values


@pytest.mark.parametrize(
    "column",
    [
        pa.array(pd.to_datetime(["2026-01-01", "2026-01-02"])),
        pa.array(pd.to_timedelta([1, 2], unit="s")),
        pa.array([[1.0, 2.0], [3.0, 4.0]]),
        pa.array([b"\x00", b"\x01"]),
        pa.array([{"a": 1}, {"a": 2}]),
    ],
    ids=lambda each: str(each.type),
)
def test_a_value_that_is_no_number_is_named(tmp_path: Path, column: pa.Array) -> None:
    path = tmp_path / "points.parquet"
    parquet.write_table(pa.table({"x": column}), path)
    with pytest.raises(
        WassayError, match=r"points.parquet: expected numbers in column 'x', received .* in row 0"
    ):
        read_points(path)


@pytest.mark.parametrize(
    "kinds", [["0", "00", "0"], [0, 1, 0], [True, False, True], [0.0, 1.5, 0.0], ["NA", "nan", "b"]]
)
def test_classes_are_the_same_text_in_a_csv_and_in_parquet(
    tmp_path: Path, kinds: list[object]
) -> None:
    frame = pd.DataFrame({"kind": kinds, "x": [0.5, 1.5, 2.5]})
    frame.to_parquet(tmp_path / "points.parquet")
    frame.to_csv(tmp_path / "points.csv", index=False, quoting=2)  # texts in quotes
    read = [
        read_labelled(tmp_path / f"points.{suffix}", class_column="kind")[1]
        for suffix in ("csv", "parquet")
    ]
    assert read[0] is not None
    assert read[1] is not None
    assert read[0].tolist() == read[1].tolist() == [str(kind) for kind in kinds]


def test_a_row_without_its_class_is_named(tmp_path: Path) -> None:
    path = tmp_path / "points.parquet"
    pd.DataFrame({"kind": ["a", None, "b"], "x": [1.0, 2.0, 3.0]}).to_parquet(path)
    with pytest.raises(
        WassayError, match=r"expected a value in column 'kind', received none in row 1"
    ):
        read_labelled(path, class_column="kind")
    parquet.write_table(pa.table({"kind": pa.array([0.0, float("nan")]), "x": [1, 2]}), path)
    with pytest.raises(
        WassayError, match=r"expected a value in column 'kind', received none in row 1"
    ):
        read_labelled(path, class_column="kind")


def test_classes_in_bytes_are_text_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "points.parquet"
    parquet.write_table(pa.table({"k": ["Müller".encode()], "x": [1.0]}), path)
    _, labels = read_labelled(path, class_column="k")
    assert labels is not None
    assert labels.tolist() == ["Müller"]
    parquet.write_table(pa.table({"k": ["Müller".encode("latin-1")], "x": [1.0]}), path)
    with pytest.raises(WassayError, match=r"points.parquet: expected text in UTF-8 in column 'k'"):
        read_labelled(path, class_column="k")
