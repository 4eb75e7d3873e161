"""Results are displayed in notebooks, and exported as frames and files."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.client import answers
from tests.report.sample import T0, found
from wassay import Coverage, Estimates, Result, models
from wassay.audit import Audit
from wassay.audit.exposure import Exposure
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.connection.pagination import Records
from wassay.client.evaluation.notebook_figure import NotebookFigure
from wassay.client.valuation.label_scores import LabelScores
from wassay.client.valuation.noise import Noise, SellerNoise
from wassay.client.valuation.point_selection import PointSelection, SelectedPoint
from wassay.client.valuation.purchase_table import Purchases
from wassay.disclosure_class import DisclosureClass
from wassay.tabular import Tabular
from wassay.transport import Estimate, Purchase, Scores, Shapley

BOUGHT = Estimate(0.4, 1.5, None, None, None, (1.4, 1.6))
HOSTILE = "=1+<script>alert(1)</script>"


def result(label: str = "Bolt") -> Result:
    return Result(found((label, "Cole"), n=12), PrivatePush(T0, 0.0))


def contribution(label: str = "Bolt") -> models.Contribution:
    return models.Contribution(
        id="con_1",
        request_id="req_1",
        account_id="acc_1",
        organisation="Bolt Ltd",
        state="submitted",
        mode="measure",
        label=label,
        listing_id=None,
        score_policy="none",
        projection_spread=None,
        points=30,
        arrays=[models.SweptArray(**answers.stored("0f", s=0.5))],
        scalars=None,
        decline_reason=None,
        created_at=datetime(2026, 11, 27, tzinfo=UTC),
        updated_at=datetime(2026, 11, 27, tzinfo=UTC),
    )


def known_by_acme() -> models.CombinedDisclosure:
    return models.CombinedDisclosure(
        dataset="acc_1",
        viewer_organisation="Acme",
        disclosure_class=DisclosureClass.UP_TO_ISOMETRY,
        rank=None,
        questions=3,
        epsilon=None,
        disclosures=2,
        first_at=datetime(2026, 11, 27, tzinfo=UTC),
        last_at=datetime(2026, 11, 28, tzinfo=UTC),
    )


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
        Records([contribution()]),
        Records([known_by_acme()]),
        Coverage({"con_1": "Bolt"}, {frozenset(["con_1"]): 0.3}, {frozenset(["con_1"]): 0.9}),
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
    assert repr(shown) == str(shown) or isinstance(shown, Result)
    html = shown._repr_html_()
    assert html.count("<tr>") == rows + 1
    assert all(f">{name}</th>" in html for name in shown.shown())


def test_a_ledger_is_shown_with_the_class_of_each_disclosure() -> None:
    assert "up-to-isometry" in repr(known_by_acme())
    assert "up-to-isometry" in repr(Records([known_by_acme()]))


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


def test_a_listed_value_is_shown_by_its_name_beside_its_id_without_what_is_nested() -> None:
    shown = contribution(HOSTILE)
    assert repr(shown).startswith(f"Contribution(id='con_1', label={HOSTILE!r}, organisation=")
    html = shown._repr_html_()
    assert "<script>" not in html
    for text in (repr(shown), html, str(Records([shown]))):
        assert "submitted" in text
        assert "2026-11-27 00:00:00 UTC" in text
        assert "digest" not in text
        assert "decline_reason" not in text
    assert list(Records([shown]).to_dict())[:3] == ["id", "label", "organisation"]
    assert Records([shown]).to_pandas()["created_at"][0] == shown.created_at


def test_a_new_keys_secret_is_not_shown() -> None:
    known = {"id": "key_1", "account_id": "acc_1", "label": "laptop", "prefix": "ab"}
    moments = {"created_at": answers.MOMENT, "expires_at": None, "last_used_at": None}
    issued = models.NewApiKey.model_validate(
        {**known, **moments, "scopes": ["buyer"], "key": "wsy_ab_secret"}
    )
    assert "laptop" in repr(issued)
    assert "secret" not in repr(issued) + str(issued) + issued._repr_html_()


def test_coverage_is_a_table_with_a_row_for_each_group_and_says_the_same_in_words() -> None:
    groups = {frozenset("a"): 0.2, frozenset("b"): 0.6, frozenset("ab"): 0.7}
    coverage = Coverage({"a": "Ada", "b": "Bolt"}, groups, dict.fromkeys(groups, 0.9))
    assert coverage.to_dict()["sellers"] == ["Bolt", "Ada", "Bolt, Ada"]
    assert coverage.to_dict()["share"] == [0.6, 0.2, 0.7]
    assert repr(coverage) == str(coverage)
    assert "All together: 70 %" in coverage._repr_html_()


def test_a_long_table_is_shown_in_part_and_exported_whole() -> None:
    many = Scores(np.zeros(1234), np.zeros(1234), "exact")
    assert "and 1,184 more rows" in many._repr_html_()
    assert "and 1184 more rows" in repr(many)
    assert len(many.to_pandas()) == 1234


def test_a_picture_shows_itself_as_png() -> None:
    figure = result().plot()
    assert isinstance(figure, NotebookFigure)
    assert figure._repr_png_().startswith(b"\x89PNG")
