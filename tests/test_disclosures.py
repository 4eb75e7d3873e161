"""What the disclosures of a dataset reveal, each by itself and combined."""

from datetime import timedelta
from typing import Any

import pytest

from tests.ledger_rows import BEGAN, DIMENSION, POINTS, chain, row
from wassay.disclosure_class import DisclosureClass
from wassay.disclosures import combine
from wassay.models import CombinedDisclosure
from wassay.organisations import organisation_key
from wassay.readable_projections import projections_read


def combined(*contents: dict[str, Any]) -> CombinedDisclosure:
    (found,) = combine(chain(*contents))
    return found


def learnt(*contents: dict[str, Any]) -> tuple[DisclosureClass, int | None]:
    found = combined(*contents)
    return found.disclosure_class, found.rank


def test_a_measure_is_exact_unless_an_isometry_or_an_unknown_push_stands_before_it() -> None:
    assert learnt(row()) == (DisclosureClass.EXACT, None)
    assert learnt(row(sweep=[])) == (DisclosureClass.APPROXIMATE, None)
    assert learnt(row(sealed=True)) == (DisclosureClass.UP_TO_ISOMETRY, None)


def test_the_key_of_a_reference_upgrades_what_was_sealed_with_it() -> None:
    key = row("key", sealed=True, sweep=[])
    other = row("key", sealed=True, sweep=[], reference_id="ref_2")
    assert learnt(key) == (DisclosureClass.NOTHING, None)
    assert learnt(row(sealed=True), other) == (DisclosureClass.UP_TO_ISOMETRY, None)
    assert learnt(row(sealed=True), key) == (DisclosureClass.EXACT, None)
    assert learnt(row(sealed=True, sweep=[]), key) == (DisclosureClass.APPROXIMATE, None)


def test_cost_blocks_tell_as_many_coordinates_as_the_buyers_points_span() -> None:
    flat = row("cost-block", rank=1)
    again = row("cost-block", rank=1, sweep=[0.5])
    other = row("cost-block", rank=1, request_id="req_2")
    assert learnt(flat) == (DisclosureClass.PROJECTION, 1)
    assert learnt(flat, again) == (DisclosureClass.PROJECTION, 1)
    assert learnt(flat, other) == (DisclosureClass.EXACT, None)
    sealed = [each | {"sealed": True} for each in (flat, other)]
    assert learnt(*sealed) == (DisclosureClass.UP_TO_ISOMETRY, None)


def test_scores_of_d_plus_one_questions_locate_all_points() -> None:
    asked = [row("scores", sweep=[0.5], digest=f"q{place}") for place in range(DIMENSION + 1)]
    assert learnt(asked[0]) == (DisclosureClass.SCORES, None)
    assert learnt(*[asked[0]] * 9) == (DisclosureClass.SCORES, None)
    assert learnt(*asked[:-1]) == (DisclosureClass.PROJECTION, DIMENSION - 1)
    assert learnt(*asked) == (DisclosureClass.EXACT, None)
    ranks = [each | {"kind": "ranks"} for each in asked]
    assert learnt(*ranks[:-1]) == (DisclosureClass.SCORES, None)
    assert learnt(*ranks) == (DisclosureClass.APPROXIMATE, None)


def test_scores_of_the_buyers_own_points_tell_the_records_at_once() -> None:
    own = row("buyer-scores", sweep=[0.5], digest="q")
    assert learnt(own) == (DisclosureClass.EXACT, None)
    assert combined(own, row("scores", sweep=[0.5], digest="q")).questions == 1


@pytest.mark.parametrize("kind", ["noisiest", "seller-noisiest"])
def test_which_points_are_the_noisiest_tells_some_bits_of_a_record_each_time(kind: str) -> None:
    asked = [row(kind, sweep=[0.5], digest=f"q{place}") for place in range(3 * DIMENSION)]
    assert learnt(*asked[:-1]) == (DisclosureClass.SCORES, None)
    assert learnt(*asked) == (DisclosureClass.APPROXIMATE, None)
    assert combined(*asked).questions == 3 * DIMENSION


def test_scores_shown_to_each_account_count_as_separate_questions() -> None:
    """Each account reads which of its points are the noisiest in one evaluation."""
    accounts = [row("seller-noisiest", viewer_id=f"acc_{place}") for place in range(16)]
    assert combined(*accounts, *accounts).questions == 16 * 3
    assert learnt(*accounts[:DIMENSION]) == (DisclosureClass.APPROXIMATE, None)
    assert learnt(*accounts[: DIMENSION - 1]) == (DisclosureClass.SCORES, None)
    # If an organisation's accounts ask the same question as buyers, it counts once.
    assert combined(*(each | {"kind": "distances"} for each in accounts)).questions == 3


def test_scores_of_a_sellers_own_points_tell_the_other_parties_points() -> None:
    of_another_seller = row("seller-scores")
    of_the_buyer = row("seller-scores", sealed=True, sweep=[])
    assert learnt(of_another_seller) == (DisclosureClass.EXACT, None)
    assert learnt(of_the_buyer) == (DisclosureClass.UP_TO_ISOMETRY, None)
    key = row("key", sealed=True, sweep=[])
    assert learnt(of_the_buyer, key) == (DisclosureClass.APPROXIMATE, None)


def test_enough_distances_locate_all_points_and_noised_ones_never_do() -> None:
    needed = POINTS * (DIMENSION + 1) + 1
    asked = [row("distances", sweep=[0.5], digest=f"q{place}") for place in range(needed)]
    assert learnt(*asked[: POINTS - 1]) == (DisclosureClass.SCALARS, None)
    assert learnt(*asked[:POINTS]) == (DisclosureClass.PROJECTION, 1)
    assert learnt(*asked[:-1]) == (DisclosureClass.PROJECTION, DIMENSION)
    assert combined(*asked).disclosure_class is DisclosureClass.EXACT
    assert combined(*asked).questions == needed
    noised = combined(*(each | {"epsilon": 0.5} for each in asked))
    assert noised.disclosure_class is DisclosureClass.SCALARS
    assert noised.epsilon == pytest.approx(0.5 * needed)
    assert combined(asked[0], asked[1] | {"epsilon": 0.5}).epsilon is None


def test_every_coalition_counts_as_a_separate_question() -> None:
    # A confederate seller takes a part of the buyer's measure, so that others get the rest.
    asked = [row("distances", coalitions=5, digest="q1"), row("scores", digest="q1")]
    assert combined(*asked).questions == 3 * 5
    needed = POINTS * (DIMENSION + 1) // 3 + 1
    assert learnt(row("distances", coalitions=needed))[0] is DisclosureClass.EXACT
    assert learnt(row("distances", coalitions=needed - 1))[0] is DisclosureClass.PROJECTION


def test_distances_read_a_direction_for_as_many_questions_as_records_but_for_fifteen_at_most() -> (
    None
):
    assert [projections_read(asked, 10, 3) for asked in (9, 10, 19, 20, 50)] == [0, 1, 1, 2, 3]
    assert [projections_read(asked, 1000, 3) for asked in (14, 15, 44, 45)] == [0, 1, 2, 3]
    many = {"points": 1000, "rank": None}
    asked = [row("distances", digest=f"q{place}", **many) for place in range(5)]
    assert learnt(*asked[:4]) == (DisclosureClass.SCALARS, None)
    assert learnt(*asked) == (DisclosureClass.PROJECTION, 1)
    alone = row("distances", coalitions=10, digest="q9", **(many | {"rank": 2}))
    assert learnt(alone) == learnt(*asked[:2], alone) == (DisclosureClass.PROJECTION, 2)
    # A cost block to points that span one direction reveals one more direction.
    assert learnt(alone, row("cost-block", rank=1)) == (DisclosureClass.PROJECTION, 3)
    assert learnt(*(each | {"epsilon": 1.0} for each in asked)) == (DisclosureClass.SCALARS, None)


def test_an_organisation_is_one_however_its_name_is_written() -> None:
    names = ["Straße  AG", " STRASSE ag", "\uff33trasse\u00a0AG"]

    (found,) = combine(
        chain(*(row("distances", viewer_organisation=name, digest=name) for name in names))
    )

    assert (found.viewer_organisation, found.disclosures) == (names[0], 3)
    assert organisation_key("Strasse AG") != organisation_key("StrasseAG")


def test_accounts_of_one_organisation_count_together_and_datasets_apart() -> None:
    asked = [
        row("scores", sweep=[0.5], digest=f"q{place}", viewer_id=f"acc_{place}")
        for place in range(DIMENSION + 1)
    ]
    other = row("scores", dataset="lst_2", sweep=[0.5])
    service = row(viewer_id=None, viewer_organisation=None, sealed=True)
    found = {
        (each.dataset, each.viewer_organisation): each.disclosure_class
        for each in combine(chain(*asked, other, service))
    }
    assert found == {
        ("lst_1", "Acme"): DisclosureClass.EXACT,
        ("lst_1", None): DisclosureClass.UP_TO_ISOMETRY,
        ("lst_2", "Acme"): DisclosureClass.SCORES,
    }


def test_the_worst_disclosure_comes_first_and_equal_ones_by_dataset() -> None:
    ledger = chain(
        row("distances", dataset="lst_1"),
        row("key", dataset="lst_4"),
        row(dataset="lst_3"),
        row(dataset="lst_2"),
        row("scores", dataset="lst_5", sweep=[0.5]),
    )
    found = combine(ledger)
    assert [each.dataset for each in found] == ["lst_2", "lst_3", "lst_5", "lst_1", "lst_4"]


def test_a_combined_row_says_when_the_first_and_the_last_data_were_disclosed() -> None:
    found = combined(row(), row("distances"), row("scores", sweep=[0.5]))
    assert (found.first_at, found.last_at) == (BEGAN, BEGAN + timedelta(minutes=2))
    assert found.disclosures == 3


def test_random_projections_of_several_requests_add_up_to_the_points() -> None:
    assert DIMENSION == 3
    first = row("measure", rank=2, sealed=True)
    assert learnt(first) == (DisclosureClass.PROJECTION, 2)
    assert learnt(first, row("measure", rank=2, sealed=True, sweep=[0.75])) == (
        DisclosureClass.PROJECTION,
        2,
    )
    other = row("measure", rank=1, sealed=True, request_id="req_2", reference_id="ref_2")
    assert learnt(first, other) == (DisclosureClass.UP_TO_ISOMETRY, None)
    opened = [row("measure", rank=2), row("measure", rank=1, request_id="req_2")]
    assert learnt(opened[0]) == (DisclosureClass.PROJECTION, 2)
    assert learnt(*opened) == (DisclosureClass.EXACT, None)


def test_scores_of_labels_add_up_like_ranks_of_points() -> None:
    one = combined(row("label-ranks", sweep=[0.5]))
    assert (one.disclosure_class, one.questions) == (DisclosureClass.SCORES, 0)
    swept = combined(row("label-scores", sweep=[0.2, 0.3, 0.4, 0.5]))
    assert swept.disclosure_class is DisclosureClass.APPROXIMATE  # d + 1 questions
    several = combined(*(row("label-ranks", sweep=[0.5], digest=f"d{i}") for i in range(4)))
    assert several.disclosure_class is DisclosureClass.APPROXIMATE


def test_scores_of_a_sellers_own_labels_show_where_the_buyers_points_lie() -> None:
    assert combined(row("seller-label-worst", sweep=[0.5])).disclosure_class is (
        DisclosureClass.SCORES
    )
    assert combined(row("seller-label-scores", sweep=[])).disclosure_class is (
        DisclosureClass.APPROXIMATE
    )
