"""Which points a buyer inspects and buys, when sellers show more or less of their scores."""

import numpy as np
import pytest

from tests.client.answers import evaluation, request
from tests.client.conftest import Answer, ScriptedServer
from tests.client.documents import result
from wassay import Client, Constant, Measure, Reference, TransportError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.evaluation.evaluation import Evaluation
from wassay.client.valuation.point_selection import (
    Noisiest,
    VisibleScores,
    select_outliers,
    select_points,
)
from wassay.models import Evaluation as State

SCORED = VisibleScores("con_a", "a", scores=np.array([5.0, -1.0, 3.0, -4.0]))
OTHER = VisibleScores("con_b", "b", scores=np.array([4.0, -2.0]))
RANKED = VisibleScores("con_c", "c", ranks=np.array([2, 0, 3, 1, 4, 5]))
SILENT = VisibleScores("con_d", "d")
FEW = VisibleScores("con_e", "e", noisiest=Noisiest((3, 8), 12))


def test_points_with_scores_compete_over_all_sellers() -> None:
    noisy = select_points([SCORED, OTHER, SILENT], 3, noisiest=True)
    assert [(p.label, p.index, p.score) for p in noisy.points] == [
        ("a", 0, 5.0),
        ("b", 0, 4.0),
        ("a", 2, 3.0),
    ]
    valuable = select_points([SCORED, OTHER, SILENT], 2, noisiest=False)
    assert [(p.label, p.index) for p in valuable.points] == [("a", 3), ("b", 1)]
    assert valuable.withheld == ("d",)
    assert noisy.of("con_a") == [0, 2]


def test_a_seller_who_shows_ranks_gives_its_share() -> None:
    # Half of the twelve points are c's, so two of four places are.
    noisy = select_points([SCORED, OTHER, RANKED], 4, noisiest=True)
    assert [(p.label, p.index) for p in noisy.points] == [("a", 0), ("b", 0), ("c", 1), ("c", 3)]
    valuable = select_points([SCORED, OTHER, RANKED], 4, noisiest=False)
    assert valuable.of("con_c") == [4, 5]
    assert [p.score for p in valuable.points] == [-4.0, -2.0, None, None]


def test_a_seller_who_shows_only_noisiest_points_gets_a_share_of_noisy_and_none_of_valuable() -> (
    None
):
    # Two thirds of the eighteen points are e's, of which two are named.
    noisy = select_points([SCORED, OTHER, FEW], 6, noisiest=True)
    assert [(p.label, p.index) for p in noisy.points][-2:] == [("e", 3), ("e", 8)]
    assert len(noisy.points) == 6
    assert select_points([SCORED, FEW], 1, noisiest=True).of("con_e") == []
    valuable = select_points([SCORED, OTHER, FEW], 6, noisiest=False)
    assert len(valuable.points) == 6
    assert valuable.withheld == ("e",)


def test_no_more_points_than_there_are() -> None:
    assert len(select_points([SCORED, RANKED], 99, noisiest=True).points) == 10
    assert select_points([SILENT], 5, noisiest=True).points == ()


def test_an_evaluation_reads_what_each_seller_shows(client: Client, server: ScriptedServer) -> None:
    reference = Reference(1, 1, Constant(0.0), seed=0).measure()
    sellers = {name: Measure([[1.0], [2.0]]) for name in ("open", "ranks", "few", "none")}
    document = result(Measure([[0.0]]), sellers, reference, 0.5)
    shown = document.model_copy(
        update={
            "sellers": [
                seller.model_copy(update={"scores_shown": policy})
                for seller, policy in zip(
                    document.sellers, ("scores", "ranks", "noisiest", "none"), strict=True
                )
            ]
        }
    )
    scores = {"evaluation_id": "evl_1", "contribution_id": "con_open", "method": "exact"}
    swept = [
        {**scores, "s": s, "values": [s, -s], "spread": [0, 0], "ranks": None, "noisiest": [0]}
        for s in (1, 2, 3)
    ]
    few = {**scores, "s": 0.5, "values": None, "spread": None, "ranks": None, "noisiest": [1]}
    ranks = few | {"ranks": [1, 0]}
    server.script = [
        Answer(200, shown.model_dump(mode="json")),
        Answer(200, request(state="closed")),
        *(Answer(200, each) for each in swept),
        Answer(200, ranks),
        Answer(200, few),
    ]
    chosen = Evaluation(client, State.model_validate(evaluation()), PrivatePush(0.5, 0.0)).noisy(
        top=3
    )
    assert [(p.label, p.index) for p in chosen.points] == [("open", 0), ("ranks", 1), ("few", 1)]
    assert chosen.points[0].score == pytest.approx(4 * 2.0)  # (1 − t0)⁻² of the quadratic at t0
    assert chosen.withheld == ("none",)
    assert server.received[-1].target.endswith("/scores/con_few?s=0.5")


def test_outliers_are_far_above_their_own_sellers_scores_and_withheld_where_none_are_shown() -> (
    None
):
    calm = np.array([0.1, -0.2, 0.0, 0.2, -0.1])
    chosen = select_outliers(
        [
            VisibleScores("con_1", "one", scores=np.append(calm, 9.0)),
            VisibleScores("con_2", "two", scores=10 * calm),
            VisibleScores("con_3", "three", ranks=np.arange(5)),
        ],
        3.5,
    )
    assert [(point.contribution_id, point.index) for point in chosen.points] == [("con_1", 5)]
    assert chosen.withheld == ("three",)
    with pytest.raises(TransportError, match="finite scores") as refused:
        select_outliers([VisibleScores("con_4", "four", scores=np.array([0.0, np.inf]))], 3.5)
    assert refused.value.__notes__ == ["in the scores of four"]
