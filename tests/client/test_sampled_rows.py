"""Samples of rows on both sides: which rows are drawn, refused and named."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.client.seller.test_agreement import FRAME, RECIPE, asked
from wassay import Measure, RecipeError
from wassay.client import InvalidArgumentError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.seller.agreement import Offer
from wassay.client.seller.kept_rows import keep_rows, kept_rows
from wassay.client.shared.sampling import drawn_labels, drawn_rows, require_row_limit
from wassay.client.shared.sent_rows import SentRows
from wassay.key_profile import Profile
from wassay.recipes.sampled import sample_rows
from wassay.sampling import Sample


def test_an_offer_is_sampled_in_the_shares_of_the_recipes_labels() -> None:
    frame = FRAME.assign(kind=["ant"] * 150 + ["bee"] * 50)
    offer = Offer(frame).drawn(asked(RECIPE), Sample(40, seed=2))
    assert offer.rows["kind"].value_counts().to_dict() == {"ant": 30, "bee": 10}
    assert offer.sample is not None
    assert offer.rows.equals(frame.iloc[offer.sample.numbers])
    measure, classes = offer.points(RECIPE, [f"out-of-range:{name}" for name in ("age", "income")])
    assert (measure.size, np.size(np.asarray(classes))) == (40, 40)
    renamed = Offer(frame.rename(columns={"kind": "sort"}), rename={"sort": "kind"})
    again = renamed.drawn(asked(RECIPE), Sample(40, seed=2)).sample
    assert again is not None
    assert again.numbers.tolist() == offer.sample.numbers.tolist()


def test_odd_rows_of_a_sample_are_named_as_in_the_table() -> None:
    frame = FRAME.assign(kind=["Ant" if row % 10 == 3 else "bee" for row in range(200)])
    offer = Offer(frame).drawn(asked(RECIPE), Sample(40, seed=2))
    (difference,) = [each for each in offer.differences(RECIPE) if each.kind == "unknown-classes"]
    assert difference.count == 4
    assert [row % 10 for row in difference.rows] == [3] * 4


def test_without_a_sample_rows_stay_and_labels_of_a_drawn_file_are_kept() -> None:
    assert drawn_rows(FRAME, None) == (FRAME, None)
    sampled = sample_rows(FRAME, Sample(10, seed=1))
    rows, drawn = drawn_rows(sampled, None)
    assert rows is sampled.rows
    assert (
        np.asarray(drawn_labels(np.arange(200), drawn)).tolist() == sampled.drawn.numbers.tolist()
    )
    assert np.asarray(drawn_labels(np.arange(10), drawn)).tolist() == list(range(10))
    with pytest.raises(InvalidArgumentError, match=r"received a sample \(10 of 200 rows"):
        drawn_rows(sampled, 5)


def test_arrays_measures_and_lists_are_sampled_by_rows() -> None:
    points = np.arange(60.0).reshape(30, 2)
    weights = np.arange(30) / np.arange(30).sum()
    rows, drawn = drawn_rows(points, Sample(7, seed=4))
    assert drawn is not None
    np.testing.assert_array_equal(rows, points[drawn.numbers])
    measure, _ = drawn_rows(Measure(points, weights), Sample(7, seed=4))
    np.testing.assert_array_equal(measure.points, rows)
    np.testing.assert_allclose(
        measure.weights * weights[drawn.numbers].sum(), weights[drawn.numbers]
    )
    assert drawn_rows(points.tolist(), Sample(7, seed=4))[0] == rows.tolist()


@pytest.mark.parametrize(
    ("rows", "sample", "sentence"),
    [
        (FRAME, Sample(5, by="sort"), "expected a table with one column 'sort', received 'age'"),
        (np.eye(9), Sample(5, by="sort"), "received no columns"),
        (FRAME, Sample(5, by="age"), "at most 5 classes in column 'age'"),
    ],
)
def test_a_column_to_stratify_by_has_few_classes(
    rows: object, sample: Sample, sentence: str
) -> None:
    with pytest.raises(RecipeError, match=sentence):
        drawn_rows(rows, sample)


def test_a_sample_has_at_least_one_row() -> None:
    with pytest.raises(InvalidArgumentError, match="rows of a sample"):
        drawn_rows(FRAME, 0)


def test_more_rows_than_the_service_takes_are_refused_before_they_become_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = pd.DataFrame({"x": np.zeros(100_001)})
    with pytest.raises(InvalidArgumentError, match=r"at most 100,000 rows.*sample=100000"):
        require_row_limit(rows)
    monkeypatch.setenv("WASSAY_MAX_POINTS", "100001")
    require_row_limit(rows)
    monkeypatch.setenv("WASSAY_MAX_POINTS", "many")
    with pytest.raises(InvalidArgumentError, match="received 'many'"):
        require_row_limit(rows)


def test_the_profile_remembers_which_rows_were_sent(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "profile.json")
    assert kept_rows(profile, "ctr_1") is None
    keep_rows(profile, "ctr_1", SentRows(np.array([8, 3]), 20, 7))
    kept = kept_rows(profile, "ctr_1")
    assert str(kept) == "2 of 20 rows, drawn with seed 7"
    assert kept is not None
    assert kept.of_points([1, 0]) == [3, 8]
    (file,) = (tmp_path / "profile.json.rows").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("[]")
    with pytest.raises(InvalidArgumentError, match="expected numbers of rows"):
        kept_rows(profile, "ctr_1")
    with pytest.raises(InvalidArgumentError, match="expected the id of a contribution"):
        keep_rows(profile, "../profile", SentRows(np.array([0]), 1))


def test_a_saved_request_says_of_how_many_rows_its_points_are_a_sample(tmp_path: Path) -> None:
    push = PrivatePush(0.4, 1.0, rows=SentRows(np.arange(9) * 2, 20, 7))
    SavedRequest("req_1", push, None, None).save(tmp_path / "request.json")
    loaded = SavedRequest.load(tmp_path / "request.json").push
    assert loaded == push
    assert loaded.sampled == "9 of 20 rows, drawn with seed 7"
    assert loaded.rows is not None
    np.testing.assert_array_equal(loaded.rows.numbers, np.arange(9) * 2)
