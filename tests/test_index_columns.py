"""No coordinate is made of the names or the numbers of rows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather

from wassay import Measure, WassayError
from wassay.files import read_labelled, read_points

POINTS = np.random.default_rng(0).normal(size=(150, 2))
FRAME = pd.DataFrame(POINTS, columns=["x", "y"])
SHUFFLED = FRAME.sample(frac=1, random_state=1)
NAMED = SHUFFLED.rename_axis("customer")


def test_an_index_that_pandas_wrote_is_left_out_with_a_warning(tmp_path: Path) -> None:
    first, again, third = (tmp_path / f"{name}.csv" for name in ("first", "again", "third"))
    FRAME.to_csv(first)
    pd.read_csv(first).to_csv(again)
    pd.read_csv(again).to_csv(third, index=False)
    for path, name in ((first, "''"), (again, "'', 'Unnamed: 0'"), (third, "'Unnamed: 0.*")):
        with pytest.warns(UserWarning, match=f"{path}: left out {name}.* not coordinates"):
            np.testing.assert_array_equal(read_points(path), POINTS)


@pytest.mark.parametrize("write", ["parquet", "feather"])
@pytest.mark.parametrize(("frame", "name"), [(SHUFFLED, "__index_level_0__"), (NAMED, "customer")])
def test_an_index_in_a_binary_file_is_left_out_with_a_warning(
    tmp_path: Path, write: str, frame: pd.DataFrame, name: str
) -> None:
    path = tmp_path / f"points.{write}"
    if write == "parquet":
        frame.to_parquet(path)
    else:
        feather.write_feather(pa.Table.from_pandas(frame), path)
    with pytest.warns(UserWarning, match=f"left out '{name}'"):
        np.testing.assert_array_equal(read_points(path), frame.to_numpy())


def test_an_index_of_several_levels_is_left_out_wherever_it_was_read_back(tmp_path: Path) -> None:
    levels = pd.MultiIndex.from_arrays([np.arange(150) // 7, np.arange(150) % 7])
    path = tmp_path / "points.csv"
    FRAME.set_index(levels).to_csv(path)
    with pytest.warns(UserWarning, match="left out '', ''"):
        np.testing.assert_array_equal(read_points(path), POINTS)
    pd.read_csv(path).to_csv(path, index=False)
    with pytest.warns(UserWarning, match="left out 'Unnamed: 0', 'Unnamed: 1'"):
        np.testing.assert_array_equal(read_points(path), POINTS)


def test_an_index_may_be_the_class(tmp_path: Path) -> None:
    path = tmp_path / "points.parquet"
    pd.DataFrame({"x": [1.0, 2.0]}, index=pd.Index(["a", "b"], name="kind")).to_parquet(path)
    points, labels = read_labelled(path, class_column="kind")
    assert labels is not None
    assert (points.tolist(), labels.tolist()) == ([[1.0], [2.0]], ["a", "b"])


def test_row_names_of_r_are_left_out_or_refused(tmp_path: Path) -> None:
    by_csv, by_table = tmp_path / "csv.csv", tmp_path / "table.csv"
    by_csv.write_text('"","x","y"\n"Mazda RX4",21,6\n"Datsun",22.8,4\n')  # write.csv
    with pytest.warns(UserWarning, match="left out ''"):
        assert read_points(by_csv).tolist() == [[21.0, 6.0], [22.8, 4.0]]
    by_table.write_text('"x","y"\n"1",21,6\n"2",22.8,4\n')  # write.table(sep = ",")
    with pytest.raises(WassayError, match=r"table.csv: .* 2, received 3 .* row.names = FALSE"):
        read_points(by_table)


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
def test_a_column_that_numbers_the_rows_is_refused(tmp_path: Path, start: int, suffix: str) -> None:
    numbered = FRAME.assign(id=np.arange(150) + start)
    path = tmp_path / f"points.{suffix}"
    if suffix == "parquet":
        numbered.to_parquet(path)
    else:
        numbered.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    with pytest.raises(WassayError, match=f"'id' with the numbers {start} to {149 + start} of the"):
        read_points(path)
    numbered.sample(frac=1, random_state=1).to_parquet(path, index=False)
    assert read_points(path.rename(tmp_path / "shuffled.parquet")).shape == (150, 3)


def test_the_only_coordinate_may_count(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("day\n1\n2\n3\n4\n")
    assert read_points(path).tolist() == [[1.0], [2.0], [3.0], [4.0]]


def test_a_frame_with_a_column_of_row_names_is_no_measure(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "points.csv")
    read_back = pd.read_csv(tmp_path / "points.csv")
    with pytest.raises(ValueError, match=r"'Unnamed: 0', which names the rows: .*index_col=0"):
        Measure(read_back)
    with pytest.warns(UserWarning, match="column 'id' numbers the rows from 1 to 150"):
        Measure(FRAME.assign(id=np.arange(150) + 1))
    np.testing.assert_array_equal(Measure(SHUFFLED).points, SHUFFLED.to_numpy())
    assert Measure(pd.DataFrame({"day": [1, 2, 3]})).size == 3
    with pytest.raises(ValueError, match="'__index_level_0__', which names the rows"):
        Measure(pa.Table.from_pandas(SHUFFLED))
    np.testing.assert_array_equal(Measure(pa.Table.from_pandas(FRAME)).points, POINTS)
