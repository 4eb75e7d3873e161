"""Detection curves, compared with scikit-learn's metrics of rankings."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score, roc_auc_score

from tests.client.answers import evaluation
from tests.client.conftest import Answer, ScriptedServer
from wassay import Client, DetectionCurve, Evaluation, models
from wassay.client.buyer.private_push import PrivatePush
from wassay.errors import InvalidArgumentError

TRUTH = np.arange(200) % 7 == 0


@pytest.mark.parametrize("levels", [None, 5], ids=["distinct", "tied"])
def test_the_area_of_a_detection_curve_is_the_auroc(levels: int | None) -> None:
    scores = np.random.default_rng(0).normal(size=200) + TRUTH
    if levels is not None:
        scores = np.round(scores * levels / 5)
    found = DetectionCurve.of(scores, TRUTH)
    assert found.auroc == pytest.approx(roc_auc_score(TRUTH, scores))


def test_precision_and_recall_are_those_of_the_inspected_points() -> None:
    scores = np.random.default_rng(1).normal(size=200) + TRUTH
    found = DetectionCurve.of(scores, TRUTH)
    inspected = scores >= np.sort(scores)[-30]
    expected = precision_score(TRUTH, inspected), recall_score(TRUTH, inspected)
    assert found.at(30 / 200) == pytest.approx(expected)
    assert found.at(1.0) == pytest.approx((TRUTH.mean(), 1.0))


def test_equal_scores_find_as_much_as_a_random_order() -> None:
    found = DetectionCurve.of(np.zeros(200), TRUTH)
    np.testing.assert_allclose(found.recall, found.inspected)
    np.testing.assert_allclose(found.precision, found.noisy)
    assert found.auroc == pytest.approx(0.5)


def test_a_detection_curve_is_plotted(tmp_path: Path) -> None:
    figure = DetectionCurve.of(TRUTH.astype(float), TRUTH).plot(tmp_path / "found.png")
    found, precision, best, _ = figure.axes[0].get_lines()
    assert np.allclose(np.asarray(found.get_xydata()), np.asarray(best.get_xydata()))
    assert np.asarray(precision.get_ydata())[0] == 1.0
    assert (tmp_path / "found.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("truth", [np.ones(200), TRUTH[1:], TRUTH & False, TRUTH | True])
def test_a_truth_that_is_not_one_of_both_kinds_a_point_is_refused(truth: object) -> None:
    with pytest.raises(InvalidArgumentError, match="expected"):
        DetectionCurve.of(np.zeros(200), np.asarray(truth))


@pytest.mark.parametrize("share", [0.0, 1.01, float("nan")])
def test_a_share_of_no_point_or_of_more_than_all_is_refused(share: float) -> None:
    with pytest.raises(InvalidArgumentError, match=r"share of 0\.005 to 1"):
        DetectionCurve.of(TRUTH.astype(float), TRUTH).at(share)


def test_ranks_are_inspected_where_a_seller_shows_no_scores(
    server: ScriptedServer, client: Client
) -> None:
    shown: dict[str, object] = {
        "evaluation_id": "evl_1",
        "contribution_id": "con_1",
        "s": None,
        "noisiest": [],
    }
    ranks = {**shown, "method": None, "values": None, "spread": None, "ranks": [2, 0, 1, 3]}
    server.script = [Answer(200, ranks)]
    asked = Evaluation(client, models.Evaluation(**evaluation()), PrivatePush(0.3, 1.0))
    found = asked.detection_curve([False, True, False, True], "con_1")
    assert server.received[-1].target.endswith("/scores/con_1")
    np.testing.assert_allclose(found.recall, [0.5, 0.5, 0.5, 1.0])
