"""The same table gives the same points, whatever its file format."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import ipc

from tests.recipes.tables import people
from wassay import Recipe
from wassay.files import read_table

RANDOM = np.random.default_rng(10)
TABLE = people(80, seed=1).assign(
    city=RANDOM.choice(["Bern", "Genf"], 80),
    member=RANDOM.random(80) < 0.5,
    born=pd.Timestamp("1969-06-01") + pd.to_timedelta(RANDOM.integers(0, 9_000, 80), "D"),
)
RECIPE = Recipe.fit(TABLE, seed=1)


def write(path: Path) -> Path:
    table = pa.Table.from_pandas(TABLE, preserve_index=False)
    match path.suffix:
        case ".csv" | ".tsv":
            TABLE.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
        case ".parquet":
            TABLE.to_parquet(path)
        case ".arrow":
            with ipc.new_file(path, table.schema) as file:
                file.write_table(table)
        case ".arrows":
            with ipc.new_stream(path, table.schema) as stream:
                stream.write_table(table)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow", ".arrows"])
def test_a_table_gives_the_same_points_from_every_format(tmp_path: Path, suffix: str) -> None:
    table = read_table(write(tmp_path / f"people{suffix}"))
    assert RECIPE.compare(table) == []
    found = RECIPE.apply(table, seed=2).points
    assert (found == RECIPE.apply(TABLE, seed=2).points).all()


def test_a_class_of_digits_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("x,code\n" + "".join(f"{row}.5,0{row % 2}\n" for row in range(40)))
    recipe = Recipe.fit(read_table(path, class_column="code"), roles={"code": "label"}, seed=1)
    found = recipe.apply(read_table(path, class_column="code"))
    assert found.labels is not None
    assert set(found.labels) == {"00", "01"}


def test_a_matrix_has_numbered_columns(tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", RANDOM.normal(size=(30, 2)))
    assert Recipe.fit(read_table(tmp_path / "points.npy")).field_names == ["x0", "x1"]


def test_a_named_index_is_no_field_and_a_file_that_holds_it_says_so(tmp_path: Path) -> None:
    named = TABLE.set_index(pd.Index(RANDOM.permutation(80) + 10_000, name="customer"))
    assert Recipe.fit(named, seed=1) == RECIPE
    named.to_parquet(path := tmp_path / "named.parquet")
    table = read_table(path)
    with pytest.warns(UserWarning, match=r"left out 'customer' \(names of rows\)"):
        assert Recipe.fit(table, seed=1) == RECIPE
    assert [(each.kind, each.column) for each in RECIPE.compare(table)] == [("index", "customer")]
    with_it = Recipe.fit(table, kinds={"customer": "integer"}, seed=1)
    assert [(each.kind, each.field) for each in with_it.compare(named)] == [("missing", "customer")]
    assert with_it.compare(table) == []


def test_whole_numbers_of_a_csv_are_integers_also_if_some_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("visits,big,half,member\n" + "3,9007199254740993,1,true\n,,1.5,\n" * 20)
    table = read_table(path)
    assert isinstance(table, pa.Table)
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {"visits": "int64", "big": "int64", "half": "double", "member": "bool"}
    assert table["visits"].null_count == 20
    assert table["big"][0].as_py() == 2**53 + 1
    (visits, *_) = Recipe.fit(table.select(["visits"]), seed=1).public.fields
    assert visits.type == "integer"
    assert visits.indicates
