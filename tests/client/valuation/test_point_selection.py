"""Which points a buyer inspects and buys, when sellers show more or less of their scores."""

import numpy as np
import pytest

from tests.client.answers import evaluation, request
from tests.client.conftest import Answer, ScriptedServer
from tests.client.documents import SWEEP, result
from wassay import Client, Constant, Measure, Reference, TransportError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.evaluation.evaluation import Evaluation
from wassay.client.valuation.methods.points import print_points
from wassay.client.valuation.noise import noise_of
from wassay.client.valuation.point_selection import (
    Noisiest,
    VisibleScores,
    select_outliers,
    select_points,
)
from wassay.models import Evaluation as State
from wassay.transport import SellerCosts, evaluate

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
    assert 'scores="ranks" or more' in print_points(valuable).notes[-1]
    assert noisy.of("con_a") == [0, 2]


def test_a_seller_who_shows_ranks_gives_its_share() -> None:
    # Half of the twelve points are c's, so two of the four selected ones are.
    noisy = select_points([SCORED, OTHER, RANKED], 4, noisiest=True)
    assert [(p.label, p.index) for p in noisy.points] == [("a", 0), ("b", 0), ("c", 1), ("c", 3)]
    valuable = select_points([SCORED, OTHER, RANKED], 4, noisiest=False)
    assert valuable.of("con_c") == [4, 5]
    assert [p.score for p in valuable.points] == [-4.0, -2.0, None, None]


def test_a_seller_who_shows_only_noisiest_points_gets_a_share_of_them_or_of_the_others() -> None:
    # Two thirds of the eighteen points are e's, of which two are named.
    noisy = select_points([SCORED, OTHER, FEW], 6, noisiest=True)
    assert [(p.label, p.index) for p in noisy.points][-2:] == [("e", 3), ("e", 8)]
    assert len(noisy.points) == 6
    assert select_points([SCORED, FEW], 1, noisiest=True).of("con_e") == []
    # Ten of sixteen points that may be valuable are e's, so three of the five selected ones are.
    valuable = select_points([SCORED, OTHER, FEW], 5, noisiest=False)
    assert len(valuable.points) == 5
    assert len(valuable.of("con_e")) == 3
    assert not {3, 8} & set(valuable.of("con_e"))
    assert valuable.withheld == ()
    (advice,) = valuable.advice
    assert advice.startswith(
        "Selected from the points that are not named as noisiest: points of e."
    )


def test_noisy_points_stand_out_from_their_own_seller_however_near_that_is() -> None:
    calm = np.linspace(-0.1, 0.1, 20)
    far, near = 10 + calm, np.append(calm - 10, -5.0)
    noisy = select_points(
        [VisibleScores("con_f", "far", scores=far), VisibleScores("con_n", "near", scores=near)],
        1,
        noisiest=True,
    )
    assert [(p.label, p.index, p.score) for p in noisy.points] == [("near", 20, -5.0)]
    assert noisy.points[0].deviation == pytest.approx(5.0, abs=0.1)


def test_spoilt_points_of_the_nearest_seller_stand_out_though_hardly_one_raises_the_distance() -> (
    None
):
    random = np.random.default_rng(0)
    buyer, near = Measure(random.normal(size=(150, 4))), random.normal(size=(200, 4))
    near[:30] += random.normal(0, 4, size=(30, 4))
    offered = {"near": near, "far": random.normal(size=(200, 4)) + 4}
    sellers = [
        SellerCosts.from_measures(name, dict.fromkeys(SWEEP, Measure(points)), buyer, 2)
        for name, points in offered.items()
    ]
    scores = {
        name: each[0.5]
        for name, each in evaluate(buyer.weights, sellers, SWEEP).seller_scores.items()
    }
    assert (scores["near"].values > 0).sum() < 15
    visible = [
        VisibleScores(name, name, scores=each.values, spread=each.spread)
        for name, each in scores.items()
    ]
    of_near, of_far = noise_of(visible, 3.5).sellers
    assert sum(point < 30 for point in of_near.noisy) > 20
    assert sum(point >= 30 for point in of_near.noisy) < 4
    assert of_far.noisy == ()


def test_noise_says_of_every_seller_what_their_policy_allows() -> None:
    calm = np.linspace(-0.1, 0.1, 21)
    sellers = [
        VisibleScores("con_s", "spoilt", scores=np.append(calm - 4, [-2.0, -1.0])),
        VisibleScores("con_f", "far", scores=calm + 4),
        RANKED,
        FEW,
        VisibleScores("con_d", "d", points=7),
    ]
    noise = noise_of(sellers, 3.5)
    assert [each.noisy for each in noise.sellers] == [(22, 21), (), (1,), (3, 8), ()]
    assert [each.shown for each in noise.sellers] == [
        "scores",
        "scores",
        "ranks",
        "noisiest",
        "none",
    ]
    assert noise.sellers[0].deviations == pytest.approx((3.0, 2.0), abs=0.05)
    offsets = [each.offset for each in noise.sellers[:2]]
    assert offsets[0] is not None
    assert offsets[1] is not None
    assert offsets[0] < 0 < offsets[1]
    assert noise.of("con_s") == [21, 22]
    printed = str(noise).splitlines()
    assert printed[-5] == "spoilt: 2 of 23 points stand out from the others."
    assert printed[-1].startswith("d: Nothing is shown.")
    assert printed[-1].endswith("unless a party has too few points.")


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
    few = {**scores, "s": None, "values": None, "spread": None, "ranks": None, "noisiest": [1]}
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
    assert server.received[-1].target.endswith("/scores/con_few")


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
    assert print_points(chosen).notes[-1] == (
        "These sellers show too little to select by: three. "
        'Ask them to answer with scores="scores".'
    )
    assert chosen.notes()[-1].endswith("ask them for 'scores'.")
    with pytest.raises(TransportError, match="finite scores") as refused:
        select_outliers([VisibleScores("con_4", "four", scores=np.array([0.0, np.inf]))], 3.5)
    assert refused.value.__notes__ == ["in the scores of four"]
