"""Frames of all libraries, and odd data: a correct result, or an error in one sentence."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from wassay import Recipe, RecipeError
from wassay.recipes.frames import columns_of

RANDOM = np.random.default_rng(8)
ROWS = 60
CODES = RANDOM.integers(0, 3, ROWS)
PEOPLE = pd.DataFrame(
    {
        "age": RANDOM.integers(18, 90, ROWS),
        "height": RANDOM.normal(170, 10, ROWS),
        "member": pd.array([(True, False, None)[code] for code in CODES], dtype="boolean"),
        "children": pd.array([(0, 1, 2, None)[code] for code in CODES[::-1]], dtype="Int64"),
        "city": pd.Categorical(RANDOM.choice(["Bern", "Genf"], ROWS)),
        "size": pd.Categorical(RANDOM.choice(["S", "M", "L"], ROWS), ["S", "M", "L"], ordered=True),
        "born": pd.Timestamp("1950-03-01") + pd.to_timedelta(RANDOM.integers(0, 20_000, ROWS), "D"),
    }
)
RECIPE = Recipe.fit(PEOPLE, seed=1)
POINTS = RECIPE.apply(PEOPLE, seed=2).points


def same_points(frame: Any) -> bool:
    return bool((RECIPE.apply(frame, seed=2).points == POINTS).all())


def test_every_column_gets_the_kind_of_its_type() -> None:
    kinds = {field.name: field.kind.kind for field in RECIPE.public.features if field.kind}
    assert kinds == {
        "age": "integer",
        "height": "number",
        "member": "boolean",
        "children": "integer",
        "city": "category",
        "size": "ordered",
        "born": "datetime",
    }


def test_pandas_polars_pyarrow_and_plain_lists_give_the_same_points() -> None:
    table = pa.Table.from_pandas(PEOPLE)
    assert same_points(table)
    assert same_points(PEOPLE[PEOPLE.columns[::-1]])
    assert same_points({name: table[name].to_pylist() for name in table.column_names})
    polars = pl.DataFrame({name: table[name].to_pylist() for name in table.column_names})
    assert same_points(polars)
    assert same_points(
        polars.cast({"city": pl.Categorical, "size": pl.Enum(["S", "M", "L"]), "age": pl.Int8})
    )
    with pytest.raises(RecipeError, match="a lazy frame: collect it"):
        RECIPE.apply(polars.lazy())
    assert same_points(PEOPLE.convert_dtypes(dtype_backend="pyarrow"))


def test_dates_of_every_form_are_days_since_1970() -> None:
    texts = ["1969-12-31T12:00", None, "1600-01-01T00:00"]
    moments = [text and dt.datetime.fromisoformat(text) for text in texts]
    for column in (
        pd.Series(moments, dtype="datetime64[us]"),
        pa.chunked_array([pa.array(moments, pa.timestamp("ms"))]),
        moments,
        np.array(moments, dtype="datetime64[s]"),
        [each and each.replace(tzinfo=dt.UTC) for each in moments],
    ):
        found = columns_of({"x": column})["x"]
        assert found.type == "datetime"
        assert found.values[[0, 2]].tolist() == [-0.5, -135_140]
        assert found.missing.tolist() == [False, True, False]
    days = columns_of({"x": pa.array([dt.date(1969, 12, 31)])})["x"]
    assert (days.type, days.values.tolist()) == ("date", [-1])


class Tensor:
    """A tensor like torch's: no array while it records gradients, and no bfloat16 in numpy."""

    def __init__(self, values: Any, *, requires_grad: bool = False, bf16: bool = False) -> None:
        self.values, self.requires_grad = np.asarray(values), requires_grad
        self.dtype = "torch.bfloat16" if bf16 else "torch.float32"
        self.shape = self.values.shape

    def detach(self) -> "Tensor":
        return Tensor(self.values, bf16="bfloat16" in self.dtype)

    def cpu(self) -> "Tensor":
        return self

    def float(self) -> "Tensor":
        return Tensor(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if "bfloat16" in self.dtype:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values


class Exporter:
    """An array that supports DLPack and no other protocol."""

    def __init__(self, values: Any) -> None:
        self.values, self.shape, self.dtype = values, values.shape, values.dtype

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


def test_arrays_of_every_library_are_read() -> None:
    matrix = RANDOM.normal(size=(30, 3))
    expected = Recipe.fit(matrix, seed=1).apply(matrix, seed=1).points
    for array in (
        Tensor(matrix, requires_grad=True),
        Tensor(matrix, requires_grad=True, bf16=True),
        Exporter(matrix),
        sparse.csr_matrix(matrix),
        sparse.coo_array(matrix),
        pd.DataFrame(matrix, columns=["x0", "x1", "x2"]),
    ):
        assert (Recipe.fit(array, seed=1).apply(array, seed=1).points == expected).all()
    masked = np.ma.MaskedArray(matrix, mask=matrix > 1)
    assert (columns_of(masked)["x1"].missing == (matrix[:, 1] > 1)).all()


def test_too_large_an_array_is_refused_before_it_is_made_dense() -> None:
    with pytest.raises(RecipeError, match=r"at most 268,435,456 numbers .* 10,000,000,000"):
        columns_of(sparse.csr_array((100_000, 100_000)))


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        ({"x": [1.0, 2.0, np.inf, -np.inf] * 10}, r"±inf or larger ones in 20 of 40 rows"),
        ({"x": [1.0, 1e200] * 20}, r"below 1e\+100 in column 'x'"),
        ({"x": [1, "two", None] * 10}, r"one type in all rows, received int, str"),
        ({"x": [1, True] * 10}, r"received bool, int"),
        ({"x": [3.0]}, "at least 20 rows to fit a recipe on, received 1"),
        ({"x": [1] * 30, "y": [1] * 31}, "columns of one length"),
        ({}, "a frame with columns, received none"),
        ("x", "received str: convert it"),
        (np.arange(30.0), r"an array of shape \(30,\)"),
        ({"x": [[1.0, 2.0], [3.0]] * 15}, "lists of one length in column 'x'"),
        ({"x": [1 + 1j] * 30}, "received complex"),
        (pd.DataFrame([[1, 2]] * 30, columns=["a", "a"]), "different names"),
    ],
)
def test_odd_data_is_refused_in_a_sentence(frame: Any, sentence: str) -> None:
    with pytest.raises(RecipeError, match=sentence):
        Recipe.fit(frame)


def test_columns_that_are_no_features_are_left_out_and_said() -> None:
    frame = PEOPLE.assign(
        **{
            "": range(7, 7 + ROWS),
            "Unnamed: 0": range(ROWS),
            "__index_level_0__": RANDOM.permutation(ROWS),
            "row": range(ROWS),
            "empty": [None] * ROWS,
            "name": [f"person {row}" for row in range(ROWS)],
        }
    )
    with pytest.warns(UserWarning, match="left out") as caught:
        recipe = Recipe.fit(frame, seed=1)
    assert recipe.field_names == list(PEOPLE.columns)
    for said in (
        *("'' (names of rows)", "'Unnamed: 0' (names", "'__index_level_0__' (names"),
        *("'row' (numbers of rows)", "'empty' (no value", "'name' (60 different texts"),
    ):
        assert said in str(caught[0].message)
    assert caught[0].filename == __file__


def test_a_column_that_a_few_texts_keep_from_being_numbers_is_said() -> None:
    amounts = [str(1000 * (row % 6)) for row in range(ROWS)]
    codes = [f"{row % 5:02}" for row in range(ROWS)]
    frame = PEOPLE.assign(amount=["n.a.", *amounts[1:]], code=codes)
    with pytest.warns(UserWarning) as caught:
        recipe = Recipe.fit(frame, seed=1)
    [said] = [str(each.message) for each in caught]
    assert said.startswith("'amount' counts as categories, because 1 of 60 texts are no numbers")
    assert "such as 'n.a.'" in said
    assert caught[0].filename == __file__
    assert Recipe.fit(frame, kinds={"amount": "category"}, seed=1) == recipe


def test_duplicated_and_constant_columns_get_finite_points_and_odd_rows_stay_near() -> None:
    frame = {"x": RANDOM.normal(size=200), "one": [1.0] * 200, "off": [False] * 200}
    frame["again"] = frame["x"]
    recipe = Recipe.fit(frame, roles={"again": "feature"}, seed=1)
    points = recipe.apply(frame, seed=1).points
    assert np.isfinite(points).all()
    assert (points.std(axis=0) > 1e-9).tolist() == [True, False, False, True]
    odd = {"x": [0.0], "one": [2.0], "off": [True], "again": [0.0]}
    assert 0.1 < np.abs(recipe.apply(odd).points).max() < 20


def test_an_option_that_names_no_column_is_refused_with_the_nearest() -> None:
    with pytest.raises(RecipeError, match=r"received 'Age'.*did you mean 'age'"):
        Recipe.fit(PEOPLE, units={"Age": "years"})
    with pytest.raises(RecipeError, match=r"a kind of field .* received 'colour'"):
        Recipe.fit(PEOPLE, kinds={"age": "colour"})
