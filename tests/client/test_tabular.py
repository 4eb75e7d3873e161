"""Results show themselves in notebooks, and leave as frames and files."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.client import answers
from tests.report.sample import T0, found
from wassay import Estimates, Result, models
from wassay.audit import Audit
from wassay.audit.exposure import Exposure
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.connection.pagination import Records
from wassay.client.evaluation.notebook_figure import NotebookFigure
from wassay.client.valuation.label_scores import LabelScores
from wassay.client.valuation.noise import Noise, SellerNoise
from wassay.client.valuation.point_selection import PointSelection, SelectedPoint
from wassay.client.valuation.purchases import Purchases
from wassay.disclosure_class import DisclosureClass
from wassay.tabular import Tabular
from wassay.transport import Estimate, Purchase, Scores, Shapley

BOUGHT = Estimate(0.4, 1.5, None, None, None, (1.4, 1.6))
HOSTILE = "=1+<script>alert(1)</script>"


def result(label: str = "Bolt") -> Result:
    return Result(found((label, "Cole"), n=12), PrivatePush(T0, 0.0))


def tables() -> list[Tabular]:
    three = np.arange(3.0)
    return [
        result(),
        result().estimates(),
        Scores(three, three / 10, "exact"),
        LabelScores(three, np.array([2, 1, 0]), (2,)),
        models.PointScores(
            evaluation_id="evl_1",
            contribution_id=None,
            s=0.5,
            method=None,
            values=None,
            spread=None,
            ranks=[1, 0],
            noisiest=[1],
        ),
        PointSelection((SelectedPoint("con_1", "Bolt", 4, 0.5),), ("Cole",), ("Ask.",)),
        Noise((SellerNoise("con_1", "Bolt", "scores", 9, (3,), (2.0,), 0.1),)),
        Shapley({"con_1": 0.3}, {"con_1": 0.0}, 0, 0.0, "every-coalition", {"con_1": "Bolt"}),
        Purchases([Purchase("con_1", 3.0, BOUGHT, "Bolt")]),
        Audit("an answer", (Exposure("the service", DisclosureClass.NOTHING, "none"),)),
        Records([models.Request(**answers.request())]),
    ]


@pytest.mark.parametrize("shown", tables(), ids=lambda each: type(each).__name__)
def test_every_table_is_the_same_in_frames_files_and_notebooks(
    shown: Tabular, tmp_path: Path
) -> None:
    columns = shown.to_dict()
    (rows,) = {len(values) for values in columns.values()}
    assert rows > 0
    assert list(shown.to_pandas().columns) == list(columns) == shown.to_polars().columns
    assert len(shown.to_pandas()) == len(shown.to_polars()) == rows
    shown.to_csv(tmp_path / "table.csv")
    shown.to_parquet(tmp_path / "table.parquet")
    assert pd.read_parquet(tmp_path / "table.parquet").shape == (rows, len(columns))
    assert pl.read_csv(tmp_path / "table.csv").shape == (rows, len(columns))
    html = shown._repr_html_()
    assert html.count("<tr>") == rows + 1
    assert all(f">{name}</th>" in html for name in columns)


def test_the_estimates_in_a_frame_are_those_of_the_object() -> None:
    known: Estimates = result().estimates()
    frame = known.to_pandas()
    assert frame["distance"].tolist() == [each.singleton.value for each in known.sellers]
    assert frame["contribution_id"].tolist() == [each.contribution_id for each in known.sellers]
    assert frame["change_if_left_out"].tolist() == [each.change for each in known.sellers]


def test_a_sellers_label_is_no_formula_of_a_spreadsheet_and_no_html(tmp_path: Path) -> None:
    known = result(HOSTILE).estimates()
    assert "<script>" not in known._repr_html_()
    known.to_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        labels = {row["seller"] for row in csv.DictReader(file)}
    assert labels == {f"'{HOSTILE}", "Cole"}


def test_a_long_table_is_shown_in_part_and_exported_whole() -> None:
    many = Scores(np.zeros(1234), np.zeros(1234), "exact")
    assert "and 1,184 more rows" in many._repr_html_()
    assert "and 1184 more rows" in repr(many)
    assert len(many.to_pandas()) == 1234


def test_a_picture_shows_itself_as_png() -> None:
    figure = result().plot()
    assert isinstance(figure, NotebookFigure)
    assert figure._repr_png_().startswith(b"\x89PNG")
