"""Samples of the rows of files: the same rows of every format, in little memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, ipc, parquet

from wassay import WassayError
from wassay.files import read_rows, read_sample, read_table
from wassay.files.formats import arrow
from wassay.recipes import RecipeError
from wassay.recipes.sampled import sample_rows
from wassay.sampling import Sample

ROWS = 40_000
SUFFIXES = [".csv", ".parquet", ".arrow", ".arrows", ".feather"]


@pytest.fixture(scope="module")
def table() -> pa.Table:
    random = np.random.default_rng(0)
    return pa.table(
        {
            "row": np.arange(ROWS),
            "x": random.normal(size=ROWS),
            "kind": random.choice(["ant", "bee", "cow"], ROWS, p=[0.7, 0.29, 0.01]),
            **{f"c{place}": random.integers(0, 9, ROWS) for place in range(9)},
        }
    )


@pytest.fixture(scope="module")
def files(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    csv.write_csv(table, folder / "rows.csv")
    parquet.write_table(table, folder / "rows.parquet", row_group_size=7_001)
    with ipc.new_file(folder / "rows.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=3_001)
    with ipc.new_stream(folder / "rows.arrows", table.schema) as file:
        file.write_table(table, max_chunksize=5_003)
    table.to_pandas().to_feather(folder / "rows.feather")
    np.save(folder / "rows.npy", table.select(["row", "x"]).to_pandas().to_numpy())
    return folder


@pytest.mark.parametrize("by", [None, "kind"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_sample_has_the_same_rows_of_every_format(
    files: Path, table: pa.Table, suffix: str, by: str | None
) -> None:
    sample = Sample(300, seed=7, by=by)
    found = read_sample(files / f"rows{suffix}", sample)
    expected = sample_rows(table, sample)
    assert found.drawn.numbers.tolist() == expected.drawn.numbers.tolist()
    assert found.rows.column("row").to_pylist() == found.drawn.numbers.tolist()
    np.testing.assert_array_equal(found.rows["x"].to_numpy(), expected.rows["x"].to_numpy())
    assert str(found) == "300 of 40,000 rows, drawn with seed 7"
    assert by is None or found.rows.column("kind").to_pylist().count("cow") in (3, 4)


def test_a_sample_of_an_array_takes_the_classes_of_its_rows(files: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "classes.npy", np.arange(ROWS) % 5)
    rows, classes, drawn = read_rows(
        files / "rows.npy", classes=tmp_path / "classes.npy", sample=Sample(50, seed=1)
    )
    assert drawn is not None
    assert classes is not None
    assert rows[:, 0].tolist() == drawn.numbers.tolist()
    assert classes.tolist() == (drawn.numbers % 5).tolist()


def test_a_class_column_stratifies_and_stays_text(files: Path) -> None:
    _, classes, drawn = read_rows(
        files / "rows.csv", class_column="kind", sample=Sample(100, seed=1)
    )
    assert drawn is not None
    assert classes is not None
    assert classes.tolist().count("cow") in (1, 2)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".npy"])
def test_too_many_rows_are_refused_and_a_sample_proposed(files: Path, suffix: str) -> None:
    with pytest.raises(WassayError, match=r"expected at most 9,999 rows.*--sample 9999"):
        read_rows(files / f"rows{suffix}", most_rows=9_999)
    rows, _, _ = read_rows(files / f"rows{suffix}", most_rows=ROWS)
    assert len(rows) == ROWS


def test_what_is_too_large_for_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.npy"
    np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(2**22, 2**7)).flush()
    with pytest.raises(WassayError, match=r"at most 268,435,456 values.*draw 2,097,152 rows"):
        read_table(path)


def test_a_sample_by_an_unknown_column_names_the_columns(files: Path) -> None:
    with pytest.raises(WassayError, match="expected one column 'sort', received the columns 'row'"):
        read_sample(files / "rows.parquet", Sample(9, by="sort"))
    with pytest.raises(WassayError, match="received an array"):
        read_sample(files / "rows.npy", Sample(9, by="sort"))


def test_a_format_that_reads_another_column_than_the_one_named_is_refused(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = arrow.read
    monkeypatch.setattr(arrow, "read", lambda source, by, only=None: read(source, by, only and "x"))
    with pytest.raises(WassayError, match=r"one column 'kind' in each batch, received \['x'\]"):
        read_sample(files / "rows.arrow", Sample(9, by="kind"))


def test_a_sample_by_a_column_of_arrays_names_the_column() -> None:
    with pytest.raises(RecipeError, match=r"each row of column 'faces', received arrays: name"):
        sample_rows({"faces": [[1.0, 2.0]] * 9}, Sample(3, by="faces"))


def test_tables_in_memory_are_sampled_alike(table: pa.Table) -> None:
    import polars as pl

    sample = Sample(200, seed=5, by="kind")
    frames = [table, table.to_pandas(), pl.from_arrow(table), table.to_pydict()]
    numbers = [sample_rows(frame, sample).drawn.numbers.tolist() for frame in frames]
    assert numbers[1:] == numbers[:1] * 3
    rows = [sample_rows(frame, sample).rows["row"] for frame in frames]
    assert [list(map(int, each)) for each in rows] == numbers


PEAK = """
import resource, sys
from pathlib import Path
from wassay.files import read_sample
from wassay.sampling import Sample

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

small, large = sys.argv[1:]
read_sample(Path(small), Sample(1_000))
before = peak()
read_sample(Path(large), Sample(1_000))
print((peak() - before) // 1024)
"""


def test_a_sample_does_not_take_the_memory_of_the_whole_file(tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(0, 2**62, 500_000)
    table = pa.table({f"c{place}": values ^ place for place in range(15)})
    for name, part in (("small", table.slice(0, 20_000)), ("large", table)):
        parquet.write_table(
            part, tmp_path / f"{name}.parquet", use_dictionary=False, compression="none"
        )
    assert (tmp_path / "large.parquet").stat().st_size > 55 * 2**20
    printed = subprocess.run(
        [
            *(sys.executable, "-c", PEAK),
            *(tmp_path / "small.parquet", tmp_path / "large.parquet"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(printed.stdout) < 20
