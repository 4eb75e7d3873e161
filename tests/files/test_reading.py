"""Points from `.npy` files and tables, against what pyarrow and numpy wrote."""

import io
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, ipc, parquet

from wassay import WassayError
from wassay.files import read_labelled, read_points
from wassay.files.batches import Source
from wassay.files.registry import by_suffix

X, Y = [1.0, -2.5, 1e-3], [4, 5, 6]
KINDS = ["ant", "bee", "ant"]
TABLE = pa.table({"x": X, "kind": pa.array(KINDS).dictionary_encode(), "y": Y})


def write(path: Path, table: pa.Table) -> Path:
    match path.suffix:
        case ".csv":
            csv.write_csv(table, path)
        case ".parquet":
            parquet.write_table(table, path, compression="zstd")
        case ".arrow":
            with ipc.new_file(path, table.schema) as file:
                file.write_table(table)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_columns_are_coordinates_and_one_may_be_the_class(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"points{suffix}", TABLE)
    points, labels = read_labelled(path, class_column="kind")
    np.testing.assert_array_equal(points, np.column_stack([X, Y]))
    assert labels is not None
    assert labels.tolist() == KINDS
    unlabelled = write(tmp_path / f"unlabelled{suffix}", TABLE.drop_columns("kind"))
    np.testing.assert_array_equal(read_points(unlabelled), points)


class Watched(io.BytesIO):
    """A file that records which threads read it."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.readers: set[int] = set()

    def read(self, size: int | None = -1, /) -> bytes:
        self.readers.add(threading.get_ident())
        return super().read(size)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_no_other_thread_reads_the_file_which_would_abort_a_process_that_exits(
    tmp_path: Path, suffix: str
) -> None:
    file = Watched(write(tmp_path / f"points{suffix}", TABLE).read_bytes())
    batches = by_suffix()[suffix].read(Source(file), "kind")
    assert len(batches.join(list(batches.parts))) == len(KINDS)
    assert file.readers == {threading.get_ident()}


def test_a_matrix_may_have_its_classes_in_another_file(tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", np.column_stack([X, Y]))
    np.save(tmp_path / "classes.npy", KINDS)
    points, labels = read_labelled(tmp_path / "points.npy", classes=tmp_path / "classes.npy")
    np.testing.assert_array_equal(points, np.column_stack([X, Y]))
    np.testing.assert_array_equal(labels, KINDS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1,2\n3,4\n", "names of columns in the first line, received '1,2': add a line"),
        ("x,y\n1,2\n3,\n", "expected a value in column .y., received none in row 1"),
        (
            "x,kind\n1,7\n1,ant\n",
            r"expected numbers in column 'kind', received 'ant' \(string\) in row 1",
        ),
        ('x,y\n1,"2,5"\n', "expected numbers in column 'y', received '2,5'"),
        (
            'x,y\n1,"-2,5"\n',
            "expected numbers in column 'y', received '-2,5' .* write decimals with a point",
        ),
        (
            "x;y\n1;2\n",
            "separated by commas or tabs, received columns that seem to be separated by ';'",
        ),
        (
            "x;y\n1,5;2,5\n",
            "columns that seem to be separated by ';': separate columns by commas, and write",
        ),
        ("x,y\n1,2\n1,2,3\n", "as names in the first line, 2, received 3 in '1,2,3'"),
        ("x,y\n1,2\n1\n", "as names in the first line, 2, received 1 in '1': complete the row"),
        ("x\n1,5\n", "as names in the first line, 1, received 2 .* decimals have a comma"),
        ("x,y\n1,2\n3,NA\n", "expected a value in column .y., received none in row 1"),
        ("x\0,y\n1,2\n", "zero bytes: save the file in UTF-8"),
        ('x,"y\n1,2\n', "expected rows of text|names of columns|fields"),
        ("x,y\n", "at least one point"),
        ("", "names of columns in the first line, received an empty file"),
        ("\n\n", "an empty file"),
    ],
)
def test_a_table_that_is_not_of_numbers_is_described(
    tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "points.csv"
    path.write_text(content)
    with pytest.raises(WassayError, match=said) as raised:
        read_points(path)
    assert str(raised.value).startswith(str(path))


def test_numbers_that_are_kept_as_text_are_no_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "points.parquet", pa.table({"x": ["1", "2"]}))
    with pytest.raises(
        WassayError, match=r"expected numbers in column 'x', received '1' \(string\) in row 0"
    ):
        read_points(path)


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        (
            {"class_column": "species"},
            "expected one column .species., received the columns 'x', 'kind'",
        ),
        ({"class_column": "kind", "classes": Path("c.npy")}, "from a file or from a column"),
    ],
)
def test_a_class_column_is_one_of_the_table(
    tmp_path: Path, classes: dict[str, Any], said: str
) -> None:
    path = write(tmp_path / "points.parquet", TABLE)
    with pytest.raises(WassayError, match=said):
        read_labelled(path, **classes)


def test_a_matrix_has_no_columns_with_names(tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", np.column_stack([X, Y]))
    with pytest.raises(WassayError, match=r"expected a table with a class column"):
        read_labelled(tmp_path / "points.npy", class_column="kind")


@pytest.mark.parametrize("suffix", [".npy", ".parquet", ".arrow"])
def test_unknown_bytes_are_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"points{suffix}"
    path.write_bytes(b"PK\x03\x04 something else altogether" * 9)
    with pytest.raises(WassayError, match=f"points{suffix}"):
        read_points(path)


def test_the_page_on_files_names_every_suffix_that_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "files.md").read_text()
    assert set(re.findall(r"`(\.\w+)`", page)) == set(by_suffix())
