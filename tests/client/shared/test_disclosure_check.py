"""Which data the SDK sends, and which it refuses to send."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.client.answers import request
from tests.transport.inversion.records import fixed_key, normal_reference, records
from wassay import Constant, Measure, Recipe, Reference, models
from wassay.audit import AUDITED_RECORDS, Audit, OwnScores
from wassay.client import DisclosureError, InvalidArgumentError, ReadableColumnsWarning
from wassay.client.seller.computed_costs import PointCosts
from wassay.client.shared.disclosure_check import (
    DEFAULT_LIMIT,
    DisclosureCheck,
    PreparedContribution,
    disclosure_limit,
)
from wassay.client.shared.shared_reference import OpenReference, SharedReference
from wassay.disclosure_class import DisclosureClass
from wassay.models import Mode, ScorePolicy
from wassay.recipes import Number
from wassay.reference_key import ReferenceKey
from wassay.transport import project, scale_hiding

SWEEP = (0.25, 0.5, 0.75)
EXACT = 1e-9
TRUTH = Measure(records("digits", 40))


def sealed(reference: Reference) -> ReferenceKey:
    return fixed_key(reference, scale_hiding(TRUTH))


def ask(
    check: DisclosureCheck,
    shared: SharedReference,
    measure: Measure = TRUTH,
    *,
    shown_to_sellers: bool = False,
    own_scores: OwnScores = "noisiest",
    keeps_order: bool = False,
) -> None:
    projection = project(measure, shared.reference.measure())
    audited = check.audit_request(
        measure,
        projection,
        0.4,
        shared,
        shown_to_sellers=shown_to_sellers,
        own_scores=own_scores,
        keeps_order=keeps_order,
    )
    list(check.tell(audited))


def answer(
    check: DisclosureCheck,
    shared: SharedReference,
    measure: Measure = TRUTH,
    *,
    mode: Mode = "measure",
    buyer: Measure | None = None,
    scores: ScorePolicy = "none",
    epsilon: float | None = None,
    keeps_order: bool = False,
) -> None:
    projection = project(measure, shared.reference.measure())
    costs = None if buyer is None else PointCosts(projection, shared, buyer, 2)
    terms = models.Request.model_validate(request(epsilon=epsilon))
    prepared = PreparedContribution(
        measure, projection, terms, mode, costs, scores, keeps_order=keeps_order
    )
    list(check.tell(check.audit_contribution(prepared, shared)))


@pytest.mark.parametrize("k", [1, 7])
@pytest.mark.parametrize("scores", ["none", "ranks"])
def test_sealed_uploads_pass_by_default(k: int, scores: ScorePolicy) -> None:
    shared = sealed(normal_reference(k, 64))
    seen: list[Audit] = []
    answer(DisclosureCheck(DEFAULT_LIMIT, seen.append), shared, scores=scores)
    ask(DisclosureCheck(DEFAULT_LIMIT, seen.append), shared)
    assert [audit.beyond(DEFAULT_LIMIT) for audit in seen] == [(), ()]


def test_the_audit_says_when_rows_keep_the_order_of_the_table() -> None:
    shared, buyer = sealed(normal_reference(1, 64)), Measure(records("digits", 9))
    seen: list[Audit] = []
    check = DisclosureCheck(DisclosureClass.EXACT, seen.append)
    for keeps_order in (True, False):
        ask(check, shared, keeps_order=keeps_order)
        answer(check, shared, keeps_order=keeps_order)
        answer(check, shared, mode="cost-block", buyer=buyer, keeps_order=keeps_order)
        answer(check, shared, mode="scalar", keeps_order=keeps_order)
    said = ["keep the order of your table" in str(audit) for audit in seen]
    assert said == [True, True, True, False] + 4 * [False]
    assert [any("keep the order" in note for note in audit.notes()) for audit in seen] == said


def test_scores_for_the_buyer_are_refused_by_default() -> None:
    with pytest.raises(DisclosureError, match="the buyer would learn: exact") as refused:
        answer(DisclosureCheck(DEFAULT_LIMIT), sealed(normal_reference(1, 64)), scores="scores")
    assert "scores='ranks'" in str(refused.value)


@pytest.mark.parametrize(
    ("own_scores", "learnt"),
    [("none", DisclosureClass.NOTHING), ("noisiest", DisclosureClass.SCORES)],
)
def test_sellers_learn_little_of_the_buyers_records_from_their_noisiest_points(
    own_scores: OwnScores, learnt: DisclosureClass
) -> None:
    seen: list[Audit] = []
    ask(
        DisclosureCheck(DEFAULT_LIMIT, seen.append),
        sealed(normal_reference(1, 64)),
        own_scores=own_scores,
    )
    (seller,) = (each for each in seen[0].exposures if each.receiver == "each seller")
    assert seller.disclosure_class is learnt


def test_exact_scores_of_their_own_points_are_refused_to_sellers_by_default() -> None:
    with pytest.raises(DisclosureError, match="each seller would learn: exact") as refused:
        ask(DisclosureCheck(DEFAULT_LIMIT), sealed(normal_reference(1, 64)), own_scores="scores")
    seller = refused.value.audit.exposures[1]
    assert "65 points" in seller.explanation
    assert seller.relative_error is not None
    assert seller.relative_error <= EXACT


@pytest.mark.parametrize(
    ("reveals", "learnt"), [(True, DisclosureClass.EXACT), (False, DisclosureClass.NOTHING)]
)
def test_sellers_learn_each_others_records_where_everybody_shows_scores(
    reveals: bool, learnt: DisclosureClass
) -> None:
    terms = models.Request.model_validate(request(reveals_scores=reveals))
    shared = sealed(normal_reference(1, 64))
    projection = project(TRUTH, shared.reference.measure())
    prepared = PreparedContribution(TRUTH, projection, terms, "measure", None, "scores")
    found = prepared.audit(shared)
    (others,) = (each for each in found.exposures if each.receiver == "other sellers")
    assert others.disclosure_class is learnt


def test_the_audit_reports_what_noise_leaves_to_learn() -> None:
    seen: list[Audit] = []
    answer(
        DisclosureCheck(DEFAULT_LIMIT, seen.append), sealed(normal_reference(1, 64)), epsilon=0.5
    )
    (buyer,) = (each for each in seen[0].exposures if each.receiver == "the buyer")
    assert buyer.disclosure_class is DisclosureClass.SCALARS
    assert "e^0.5 times" in buyer.explanation


@pytest.mark.parametrize("k", [1, 7])
def test_an_open_reference_is_refused_by_default_with_what_the_service_would_have(k: int) -> None:
    shared = OpenReference(normal_reference(k, 64))
    with pytest.raises(DisclosureError, match="the service would learn: exact") as refused:
        answer(DisclosureCheck(DEFAULT_LIMIT), shared)
    service = refused.value.audit.exposures[0]
    assert service.relative_error is not None
    assert service.relative_error <= EXACT
    assert service.reidentified == service.attacked == 40
    assert "40 of 40" in str(refused.value)
    assert "max_disclosure='exact'" in str(refused.value)
    with pytest.raises(DisclosureError, match=r"the service would learn: (exact|approximate)"):
        ask(DisclosureCheck(DEFAULT_LIMIT), shared)


def test_showing_sellers_the_buyers_measure_is_refused_by_default() -> None:
    with pytest.raises(DisclosureError, match="each accepted seller would learn"):
        ask(DisclosureCheck(DEFAULT_LIMIT), sealed(normal_reference(1, 64)), shown_to_sellers=True)


def test_cost_blocks_are_audited_as_cost_blocks() -> None:
    truth = Measure(records("gaussian", 30))
    shared = fixed_key(normal_reference(1, 10), scale_hiding(truth))
    buyer = shared.conceal(project(truth, shared.reference.measure()).interpolate(0.4))
    answer(DisclosureCheck(DEFAULT_LIMIT), shared, truth, mode="cost-block", buyer=buyer)
    with pytest.raises(DisclosureError, match="cost blocks at s"):
        answer(
            DisclosureCheck(DisclosureClass.SCORES), shared, truth, mode="cost-block", buyer=buyer
        )
    with pytest.raises(DisclosureError, match="the service would learn: exact"):
        answer(
            DisclosureCheck(DEFAULT_LIMIT),
            OpenReference(shared.reference),
            truth,
            mode="cost-block",
            buyer=buyer,
        )


def test_a_stricter_limit_refuses_scores_and_shapes() -> None:
    shared = sealed(normal_reference(1, 64))
    with pytest.raises(DisclosureError, match="the service would learn: up-to-isometry"):
        answer(DisclosureCheck(DisclosureClass.SCALARS), shared)
    with pytest.raises(DisclosureError, match="the buyer would learn: scores"):
        answer(DisclosureCheck(DisclosureClass.SCALARS), shared, scores="ranks")


@pytest.mark.parametrize("share", [sealed, OpenReference])
def test_scalars_reveal_no_single_record_even_with_the_reference(
    share: Callable[[Reference], SharedReference],
) -> None:
    shared = share(normal_reference(1, 64))
    seen: list[Audit] = []
    answer(
        DisclosureCheck(DisclosureClass.SCALARS, seen.append), shared, mode="scalar", buyer=TRUTH
    )
    assert seen[0].worst is DisclosureClass.SCALARS


def test_nothing_goes_beyond_the_widest_limit_and_nothing_is_audited_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wassay.client.shared.disclosure_check.audit", None)
    answer(DisclosureCheck(DisclosureClass.EXACT), OpenReference(normal_reference(1, 64)))
    ask(
        DisclosureCheck(DisclosureClass.EXACT),
        OpenReference(normal_reference(7, 64)),
        shown_to_sellers=True,
    )


def test_an_audit_callback_can_stop_the_upload() -> None:
    def stop(audit: Audit) -> None:
        raise RuntimeError(audit.message)

    with pytest.raises(RuntimeError, match="measures at s"):
        answer(DisclosureCheck(DEFAULT_LIMIT, stop), sealed(normal_reference(1, 64)))


def test_a_sample_of_many_records_is_attacked() -> None:
    many = Measure(np.random.default_rng(3).normal(size=(600, 3)))
    shared = fixed_key(normal_reference(1, 3), scale_hiding(many))
    seen: list[Audit] = []
    for let_pass in (answer, ask):
        let_pass(DisclosureCheck(DEFAULT_LIMIT, seen.append), shared, many)
    for audit in seen:
        assert max(each.attacked for each in audit.exposures) <= AUDITED_RECORDS


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((4, 3)),
        np.ones((1, 3)),
        np.full((5, 3), 2.5),
        np.eye(2, 3) * 1e15,
        np.eye(3) * 1e-15,
    ],
)
@pytest.mark.parametrize("distribution", [Constant(0.0), Constant(2.5)])
def test_points_without_any_protection_can_be_audited(
    points: NDArray[np.float64], distribution: Constant
) -> None:
    measure, reference = Measure(points), Reference(2, 3, distribution, 1)
    shared = fixed_key(reference, scale_hiding(measure))
    answer(DisclosureCheck(DEFAULT_LIMIT), shared, measure)
    ask(DisclosureCheck(DEFAULT_LIMIT), shared, measure)


def columns_of_different_scale() -> Measure:
    return Measure(np.random.default_rng(4).normal(size=(100, 4)) * [1, 4, 16, 64])


def test_columns_that_the_shape_shows_are_refused_by_name_where_the_owner_set_a_limit() -> None:
    table = columns_of_different_scale()
    shared = fixed_key(normal_reference(1, 4), scale_hiding(table))
    for let_pass in (ask, answer):
        with pytest.raises(DisclosureError, match=r"service would learn: approximate") as refused:
            let_pass(DisclosureCheck(DisclosureClass.UP_TO_ISOMETRY), shared, table)
        message = str(refused.value)
        assert "hide the first, second, third and fourth columns: make the points" in message
        assert "max_disclosure='approximate'" in str(refused.value)
        let_pass(DisclosureCheck(DisclosureClass.APPROXIMATE), shared, table)


def test_columns_that_the_shape_shows_are_warned_of_by_default() -> None:
    table = columns_of_different_scale()
    shared = fixed_key(normal_reference(1, 4), scale_hiding(table))
    check = DisclosureCheck(DEFAULT_LIMIT, warns_of_columns=True)
    for let_pass in (ask, answer):
        with pytest.warns(ReadableColumnsWarning, match="fourth columns of what is sent"):
            let_pass(check, shared, table)


def test_readable_columns_that_a_recipe_made_are_named_by_its_fields() -> None:
    random = np.random.default_rng(4)
    table = {
        "city": random.choice(["Bern", "Genf", "Chur"], 400),
        "income": random.exponential(size=400),
        "wait": random.exponential(size=400) ** 2,
    }
    kinds = {"income": Number(transform="standard"), "wait": Number(transform="standard")}
    recipe = Recipe.fit(table, kinds=kinds, seed=1, whiten=False)
    points = Measure(recipe.apply(table).points)
    shared = fixed_key(normal_reference(1, recipe.dimension), scale_hiding(points))
    projection = project(points, shared.reference.measure())
    terms = models.Request.model_validate(request())
    sent = PreparedContribution(points, projection, terms, "measure", None, "none")
    check = DisclosureCheck(DEFAULT_LIMIT, warns_of_columns=True)
    with pytest.warns(ReadableColumnsWarning) as warned:
        check.audit_contribution(sent, shared, recipe)
    message = str(warned[0].message)
    assert "which the recipe makes of 'income', 'wait'" in message
    assert "by a recipe" not in message
    assert recipe.fields_of([4, 0]) == ["city", "wait"]


def test_an_unknown_disclosure_class_is_refused_with_the_known_ones() -> None:
    assert disclosure_limit("exact") is DisclosureClass.EXACT
    with pytest.raises(InvalidArgumentError, match=r"up-to-isometry.*received 'all'"):
        disclosure_limit("all")
