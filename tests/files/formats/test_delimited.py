"""`.csv` and `.tsv` files as pandas, R and spreadsheets write them."""

import codecs
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wassay import WassayError
from wassay.files import read_labelled, read_points

NAMED = "Größe,art\n1.5,Müller\n-2,Ähre\n1e-3,Müller\n"


def test_tabs_separate_as_commas_do(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.5, -2.0], "y": [4, 7], "kind": ["a,b", "c"]})
    frame.to_csv(tmp_path / "points.tsv", sep="\t", index=False)
    frame.to_csv(tmp_path / "tabs.csv", sep="\t", index=False)
    frame.to_csv(tmp_path / "points.csv", index=False)
    for name in ("points.tsv", "tabs.csv", "points.csv"):
        points, labels = read_labelled(tmp_path / name, class_column="kind")
        np.testing.assert_array_equal(points, frame[["x", "y"]])
        assert labels is not None
        assert labels.tolist() == ["a,b", "c"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_unicode_is_read_by_its_byte_order_mark(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(NAMED.replace("\n", ending).encode(encoding))
    points, labels = read_labelled(path, class_column="art")
    assert points.tolist() == [[1.5], [-2.0], [0.001]]
    assert labels is not None
    assert labels.tolist() == ["Müller", "Ähre", "Müller"]


def test_big_endian_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(codecs.BOM_UTF16_BE + "x\ty\n1\t2\n".encode("utf-16-be"))
    assert read_points(path).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("column", ["art", None])
def test_latin_1_is_refused_with_the_byte_and_how_to_convert_it(
    tmp_path: Path, column: str | None
) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"x,art\n1,a\n2,M\xfcller\n")
    with pytest.raises(
        WassayError, match=r"UTF-8 .*received the byte 0xfc in line 3: .*iconv"
    ) as told:
        read_labelled(path, class_column=column)
    assert str(told.value).startswith(f"{path}: ")
    assert "b'" not in str(told.value)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32"])
def test_other_encodings_are_refused_as_not_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes("x,y\n1,2\n".encode(encoding))
    with pytest.raises(WassayError, match=r"points\.csv: expected text in UTF-8"):
        read_points(path)


def test_rows_wider_than_a_mebibyte_are_read(tmp_path: Path) -> None:
    wide = np.random.default_rng(0).normal(size=(2, 2_200))
    names = ",".join(f"x{place}" for place in range(wide.shape[1]))
    rows = [",".join(f"{value:.500f}" for value in row) for row in wide.tolist()]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([names, *rows]))
    assert max(map(len, rows)) > 2**20
    np.testing.assert_array_equal(read_points(path), wide)


def test_a_column_whose_first_mebibyte_is_of_integers_is_of_numbers_all_the_same(
    tmp_path: Path,
) -> None:
    values = np.append(np.arange(400_000)[::-1] % 97, 0.5)
    path = tmp_path / "late.csv"
    pd.DataFrame({"x": [f"{value:g}" for value in values]}).to_csv(path, index=False)
    assert path.stat().st_size > 2**20
    np.testing.assert_array_equal(read_points(path)[:, 0], values)


def test_classes_are_read_as_they_are_spelled(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    spelled = ["0", "00", "1.0", "1", "1e3", "true", "2026-01-01"]
    path.write_text("x,kind\n" + "".join(f"0.5,{each}\n" for each in spelled))
    _, labels = read_labelled(path, class_column="kind")
    assert labels is not None
    assert labels.tolist() == spelled


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "nan", "<NA>", "NaT", '""'])
def test_a_row_without_its_class_is_named(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "points.csv"
    path.write_text(f"x,kind\n1,a\n2,{missing}\n3,b\n")
    with pytest.raises(
        WassayError,
        match=r"points.csv: expected a value in column 'kind', received none in row 1 .*a value,",
    ):
        read_labelled(path, class_column="kind")


def test_a_class_called_na_stands_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text('x,country\n1,"NA"\n2,"DE"\n')
    _, labels = read_labelled(path, class_column="country")
    assert labels is not None
    assert labels.tolist() == ["NA", "DE"]


def test_truth_values_and_spaces_around_numbers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,is_new\n 1.5, True\n2 ,False\n")
    np.testing.assert_array_equal(read_points(path), [[1.5, 1.0], [2.0, 0.0]])


def test_a_class_may_have_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    pd.DataFrame({"kind": ["two\nlines", 'a "b"'], "x": [1, 2]}).to_csv(path, index=False)
    points, labels = read_labelled(path, class_column="kind")
    assert labels is not None
    assert (points.tolist(), labels.tolist()) == ([[1.0], [2.0]], ["two\nlines", 'a "b"'])
