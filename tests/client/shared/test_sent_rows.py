"""The secret order of the rows that are sent, and the way back to rows of the table."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.client.test_memory import COLUMNS, ROWS, peak
from wassay import Client, Measure, Profile, Seller
from wassay.client import InvalidArgumentError
from wassay.client.seller.kept_rows import keep_rows
from wassay.client.shared.sent_rows import SentRows, in_sending_order, secret_order
from wassay.client.valuation.label_scores import label_scores_at_push
from wassay.client.valuation.scores import in_table_order
from wassay.models import LabelScores, PointScores
from wassay.sampling import DrawnRows

SENT = SentRows(np.array([40, 10, 30, 20]), 50, 7)
"""Four rows of fifty: point 0 is row 40."""


def test_every_order_of_rows_is_as_probable_as_the_others() -> None:
    drawn = Counter(tuple(secret_order(4).tolist()) for _ in range(4800))
    assert len(drawn) == 24
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-6


def test_the_order_of_a_sorted_column_is_lost() -> None:
    measure, _, _ = in_sending_order(
        Measure(np.arange(2000.0)[:, None]), None, None, keeps_order=False
    )
    assert abs(stats.spearmanr(measure.points[:, 0], np.arange(2000)).statistic) < 0.12


@pytest.mark.parametrize("keeps_order", [False, True])
def test_points_weights_and_labels_go_together_with_the_numbers_of_their_rows(
    keeps_order: bool,
) -> None:
    table = np.random.default_rng(1).normal(size=(300, 2))
    names = [f"class {number % 7}" for number in range(300)]
    drawn = DrawnRows(np.arange(0, 300, 3), 300, 7)
    weights = np.arange(1, 101) / 5050
    measure, labels, rows = in_sending_order(
        Measure(table[drawn.numbers], weights),
        [names[number] for number in drawn.numbers],
        drawn,
        keeps_order=keeps_order,
    )
    assert (rows.numbers.tolist() == drawn.numbers.tolist()) is keeps_order
    assert sorted(rows.numbers) == drawn.numbers.tolist()
    np.testing.assert_array_equal(measure.points, table[rows.numbers])
    np.testing.assert_array_equal(measure.weights, weights[rows.numbers // 3])
    assert labels is not None
    assert labels.tolist() == [names[number] for number in rows.numbers]
    assert str(rows) == "100 of 300 rows, drawn with seed 7"


def test_a_secret_order_takes_one_copy_of_the_points() -> None:
    measure = Measure(np.random.default_rng(1).normal(size=(ROWS, COLUMNS)))
    assert peak(lambda: in_sending_order(measure, None, None, keeps_order=False)) < 1.4


def scores(**shown: object) -> PointScores:
    unknown: dict[str, object] = {
        "s": None,
        "method": None,
        "values": None,
        "spread": None,
        "ranks": None,
    }
    ids: dict[str, object] = {"evaluation_id": "eval_1", "contribution_id": None, "noisiest": []}
    return PointScores.model_validate({**unknown, **ids, **shown})


def test_scores_are_read_in_the_order_of_the_table() -> None:
    read = scores(values=[4.0, 1, 3, 2], spread=[0.4, 0.1, 0.3, 0.2], ranks=[0, 3, 1, 2])
    found = in_table_order(read, SENT)
    assert found.values == [1, 2, 3, 4]
    assert found.spread == [0.1, 0.2, 0.3, 0.4]
    assert found.ranks == [3, 2, 1, 0]
    assert in_table_order(scores(noisiest=[2, 0, 1]), SENT).noisiest == [10, 30, 40]
    assert in_table_order(read, None) is read


def test_points_that_are_parts_of_one_row_have_its_number() -> None:
    parts = SENT.only(np.array([0, 1, 1, 3]))
    assert in_table_order(scores(values=[4.0, 1, 1.5, 2]), parts).values == [1, 1.5, 2, 4]
    assert in_table_order(scores(noisiest=[1, 2, 3]), parts).noisiest == [10, 20]
    assert str(parts) == "3 of 50 rows, drawn with seed 7"


def test_scores_of_labels_name_rows_of_the_table_for_the_seller_and_points_for_the_buyer() -> None:
    read = LabelScores(
        evaluation_id="eval_1",
        contribution_id="con_1",
        sweep=None,
        values=[[4.0, 1, 3, 2]],
        ranks=[0, 3, 1, 2],
        worst=[0],
    )
    own = label_scores_at_push(read, None, SENT)
    assert own.to_dict() == {
        "row": [10, 20, 30, 40],
        "score": [1, 2, 3, 4],
        "rank": [3, 2, 1, 0],
    }
    assert (own.worst, own.highest(2)) == ((40,), [40, 30])
    bought = label_scores_at_push(read, None)
    assert bought.to_dict()["point"] == [0, 1, 2, 3]
    assert (bought.worst, bought.highest(2)) == ((0,), [0, 2])


def test_a_seller_translates_numbers_of_points_that_the_buyer_names(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "profile.json")
    keep_rows(profile, "con_1", SENT)
    seller = Seller(Client("http://nobody.test", "key"), profile)
    assert seller.table_rows("con_1", [3, 0]) == [20, 40]
    assert seller.table_rows("con_1") == [40, 10, 30, 20]
    assert seller.table_rows("con_1", []) == []
    for wrong in (4, -1, True):
        with pytest.raises(InvalidArgumentError, match="points from 0 to 3, as they were sent"):
            seller.table_rows("con_1", [wrong])
    with pytest.raises(InvalidArgumentError, match="pass the profile that the contribution"):
        seller.table_rows("con_2", [3, 0])
