"""The opening of the report follows from distances, verdicts and scores."""

from dataclasses import replace

import numpy as np
import pytest

from tests.client.documents import result
from tests.report.sample import T0, found, judged, report, with_t0
from wassay import models
from wassay.client.evaluation.report_writing import wrong_labels
from wassay.client.valuation.label_scores import LabelScores
from wassay.report import Report, WrongLabels, render
from wassay.report.advice import Advice, advise
from wassay.report.nearness_picture import nearness_picture
from wassay.report.uploaded_distances import uploaded_distances
from wassay.transport import Measure, Normal, Reference, Verdict


def advice(shown: Report) -> Advice:
    private = shown.private
    return advise(
        shown, uploaded_distances(shown.result, 0.5) if private is None else private.distances
    )


def told(shown: Report, topic: str) -> str:
    """Return a paragraph as plain text."""
    return " ".join(each.striptags() for each in advice(shown).paragraphs[topic])


@pytest.fixture(scope="module")
def market() -> models.Result:
    return judged({"Near": 0.0, "Off": 1.0, "Far": 3.0})


def with_verdict(shown: Report, label: str, verdict: Verdict) -> Report:
    assert shown.private is not None
    nearness = dict(shown.private.nearness)
    nearness[f"con_{label}"] = replace(nearness[f"con_{label}"], verdict=verdict)
    return replace(shown, private=replace(shown.private, nearness=nearness))


def test_the_nearest_seller_is_named_first_with_the_verdict(market: models.Result) -> None:
    shown = with_t0(market)
    assert advice(shown).headline.striptags() == "Begin with Near."
    first = told(shown, "Whom to buy from first")
    assert first.startswith("Of 3 sellers, Near’s data are the nearest")
    assert "as near to yours as your own data" in first
    assert shown.private is not None
    off, far = (shown.private.nearness[f"con_{each}"].difference for each in ("Off", "Far"))
    assert first.endswith(
        f"Different from your data: Off ({off:.2g} apart), Far ({far:.2g} apart)."
    )
    assert "1 as near as your own data, 2 different" in told(shown, "How sure this is")


def test_a_nearest_seller_who_is_different_is_recommended_with_reserve(
    market: models.Result,
) -> None:
    shown = with_verdict(with_t0(market), "Near", "different")
    assert advice(shown).headline.striptags() == "Begin with Near, if with anybody."


def test_a_seller_as_near_as_the_buyers_own_data_comes_before_a_nearer_one_that_is_different(
    market: models.Result,
) -> None:
    shown = with_verdict(
        with_verdict(with_t0(market), "Near", "different"), "Off", "as-near-as-own"
    )
    assert advice(shown).headline.striptags() == "Begin with Off."
    assert "Near’s are at" in told(shown, "Whom to buy from first")


def test_sellers_whose_differences_may_be_chance_are_named_together() -> None:
    shown = with_t0(judged({"A": 0.0, "B": 0.0, "C": 3.0}))
    assert advice(shown).headline.striptags() in {"Begin with A or B.", "Begin with B or A."}
    assert "may be chance: compare their prices" in told(shown, "Whom to buy from first")


def test_a_seller_who_makes_all_together_farther_is_named(market: models.Result) -> None:
    shown = with_t0(market)
    assert shown.private is not None
    everyone = shown.grand_coalition
    without = shown.private.distances[everyone - {"con_Far"}].value
    nearer = shown.private.distances[everyone].value - without
    worse = told(shown, "What makes it worse")
    assert worse.startswith(f"Without Far, all the others together are {nearer:.3f} nearer.")
    assert "none of the 4 groups" in told(shown, "What the others add")


def test_sellers_who_complete_each_other_are_recommended_together() -> None:
    random = np.random.default_rng(1)
    left, right = (random.normal(centre, 1, (40, 2)) for centre in (-5, 5))
    needed = np.vstack([left, right])
    reference = Reference(1, 2, Normal(), seed=3).measure()
    sellers = {"Left": Measure(left), "Right": Measure(right)}
    shown = with_t0(result(Measure(needed), sellers, reference, T0))
    assert "Both together: 0.000, which is 100 % nearer." in told(shown, "What the others add")


NEEDED = np.vstack([np.random.default_rng(1).normal(centre, 0.1, (20, 2)) for centre in (-5, 5)])


def four_halves(*coalitions: tuple[str, ...]) -> Report:
    """A report on two sellers who each have half of what is needed, and two who have none of it."""
    sellers = {
        "Left": Measure(NEEDED[:20]),
        "Right": Measure(NEEDED[20:]),
        "Up": Measure(NEEDED[:20] + np.array([0, 40])),
        "Down": Measure(NEEDED[20:] - np.array([0, 40])),
    }
    reference = Reference(1, 2, Normal(), seed=3).measure()
    return with_t0(result(Measure(NEEDED), sellers, reference, T0, coalitions=coalitions))


def test_groups_that_were_not_compared_are_said_to_be_unknown() -> None:
    adds = told(four_halves(), "What the others add")
    assert adds == (
        "Not known: the 5 groups that were compared are no nearer, but groups of two were not "
        "compared. To compare them, run evaluation.buy(…) (wassay buy)."
    )


def test_a_group_that_was_solved_on_request_is_recommended() -> None:
    adds = told(four_halves(("Left", "Right")), "What the others add")
    assert "With Left and Right: 0.00, which is 100 % nearer." in adds
    assert "A part of that can come from more rows alone." in adds
    assert "Another group may be nearer still: not all groups of two were compared." in adds


def test_a_pair_that_was_left_out_is_not_said_to_add_nothing() -> None:
    pairs = [("Left", "Up"), ("Left", "Down"), ("Right", "Up"), ("Right", "Down"), ("Up", "Down")]
    adds = told(four_halves(*pairs), "What the others add")
    assert "but not all groups of two were compared" in adds


def test_rows_and_labels_to_leave_out_are_named(market: models.Result) -> None:
    scores = np.linspace(-1, 1, 300)
    scores[[7, 3]] = 50
    shown = with_t0(
        market,
        scores={"con_Near": scores},
        noisiest={"con_Far": [1]},
        label_scores={"con_Off": WrongLabels((9, 4), 0.5), "con_Far": WrongLabels((8, 2))},
    )
    worse = told(shown, "What makes it worse")
    assert "2 of Near’s 300 points (points 3, 7)" in worse
    assert "Check the labels of Off (points 4, 9)." in worse
    assert "points 2, 8" not in worse
    assert (
        "Ranks do not tell which rows of Far to leave out, because they do not say whether any row "
        "is wrong. Ask these sellers to look at the points named below, or to show scores." in worse
    )
    page = render(shown)
    assert "points 2, 8" in page
    assert "point 1." in page
    assert "do not take labels into account" in told(shown, "How sure this is")


def test_labels_that_never_agree_are_a_headline_and_none_is_called_the_worst(
    market: models.Result,
) -> None:
    shown = with_t0(
        market, label_scores={"con_Off": WrongLabels((9, 4), 0.0), "con_Far": WrongLabels((), 0.4)}
    )
    said = "The labels of Off agree with 0 % of yours: classes are named differently, or all are wr"
    assert said in advice(shown).headline.striptags()
    assert "Check the labels of Off" not in told(shown, "What makes it worse")
    page = render(shown)
    assert page.count("none stands out") == 1
    assert "Their labels agree with 0 % of the labels of" in page


def test_labels_that_do_equal_harm_are_not_listed_as_the_worst() -> None:
    values = np.array([0.0] * 30)
    assert str(LabelScores(values, np.arange(30), ()).accuracy) == "0.0"
    values[:25] = 0.1
    assert wrong_labels(LabelScores(values, np.arange(30), ())).worst == ()
    values[3] = 0.2
    ranks = np.argsort(np.argsort(-values, kind="stable"))
    assert wrong_labels(LabelScores(values, ranks, ())).worst[0] == 3


def test_points_that_stand_out_only_by_their_spread_are_not_left_out(
    market: models.Result,
) -> None:
    scores, spread = np.linspace(-1, 1, 300), np.zeros(300)
    scores[[7, 3]] = 50
    spread[3] = 100
    shown = with_t0(market, scores={"con_Near": scores}, spreads={"con_Near": spread})
    assert "1 of Near’s 300 points (point 7)" in told(shown, "What makes it worse")
    assert "1 of 300 points stand" in " ".join(render(shown).split())


def test_points_beyond_the_first_twenty_are_said_to_be_listed_elsewhere(
    market: models.Result,
) -> None:
    scores = np.linspace(-1, 1, 300)
    scores[:23] = 50
    worse = told(with_t0(market, scores={"con_Near": scores}), "What makes it worse")
    assert "and 3 more, which wassay points --outliers lists" in worse


def test_without_t0_nothing_is_said_about_chance(market: models.Result) -> None:
    shown = report(market)
    sure = told(shown, "How sure this is")
    assert "cannot say how much of a distance is chance" in sure
    assert "own data" not in told(shown, "Whom to buy from first")
    assert nearness_picture(shown, uploaded_distances(market, 0.5)).floor is None


def test_two_sellers_of_one_label_are_told_apart_by_their_ids() -> None:
    document = found(("Bolt", "Cole"))
    first, second = document.sellers
    sellers = [first, second.model_copy(update={"label": "Bolt"})]
    shown = with_t0(document.model_copy(update={"sellers": sellers}))
    assert advice(shown).headline.striptags() == "Begin with Bolt (con_Bolt)."


def test_the_picture_has_multiples_of_the_floor_by_verdict(market: models.Result) -> None:
    shown = with_t0(market)
    assert shown.private is not None
    picture = nearness_picture(shown, shown.private.distances)
    assert [(each.label, each.kind) for each in picture.marks] == [
        ("Near", "as-near-as-own"),
        ("Off", "different"),
        ("Far", "different"),
    ]
    floor = float((picture.floor or "").rstrip("%"))
    for each, known in zip(picture.marks, shown.private.nearness.values(), strict=True):
        assert float(each.numbers.split(" ×")[0]) == pytest.approx(known.multiple, abs=5e-3)
        low, mark, high = (
            float((place or "").rstrip("%")) for place in (each.low, each.mark, each.high)
        )
        assert 0 < low <= mark <= high < 100
        assert (low <= floor) == (known.interval[0] <= known.floor)
