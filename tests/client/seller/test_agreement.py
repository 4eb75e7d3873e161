"""Both sides convert rows to points alike, and rows that do not fit the recipe are refused."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import typer
from scipy import sparse

from tests.client.answers import request
from tests.recipes.test_frames import Exporter, Tensor
from wassay import Measure, Normal, Recipe, RecipeError, Reference, models
from wassay.cli.recipe_options import multiplied, renamed
from wassay.client import DifferencesError, InvalidArgumentError
from wassay.client.buyer.labels import Labels, warn_of_few_rows, with_scored_classes
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.rows import require_sealable, rows_of
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.seller.agreement import Offer, agreed_recipe, require_kinds
from wassay.client.shared.disclosure_check import DisclosureCheck
from wassay.disclosure_class import DisclosureClass
from wassay.recipes import Text
from wassay.reference_key import ReferenceKey
from wassay.sealed_boxes import SealingError
from wassay.transport import project, scale_hiding

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "age": RANDOM.normal(45, 12, 200).round(),
        "income": np.exp(RANDOM.normal(10, 0.4, 200)),
        "kind": RANDOM.choice(["ant", "bee"], 200),
    }
)
RECIPE = Recipe.fit(FRAME, roles={"kind": "label"}, seed=1)


def asked(recipe: Recipe | None) -> models.Request:
    shown = None if recipe is None else recipe.public.model_dump(mode="json")
    return models.Request.model_validate(request(recipe=shown))


@pytest.mark.parametrize("frame", [FRAME, pl.from_pandas(FRAME), FRAME.to_dict("list")])
def test_a_table_is_made_comparable_by_a_recipe_of_its_own(frame: object) -> None:
    rows = rows_of(frame, None)
    assert rows.recipe is not None
    assert rows.recipe.field_names == ["age", "income", "kind"]
    assert rows.measure.points.shape == (200, rows.recipe.dimension)


def test_an_array_is_compared_as_it_is_unless_a_recipe_is_named() -> None:
    points = FRAME[["age", "income"]].to_numpy()
    rows = rows_of(points, None)
    assert rows.recipe is None
    np.testing.assert_array_equal(rows.measure.points, points)
    assert rows_of(points, Recipe.fit(points)).recipe is not None


def test_arrays_of_other_libraries_are_compared_as_they_are() -> None:
    points = FRAME[["age", "income"]].to_numpy()
    for array in (
        Tensor(points, requires_grad=True),
        Tensor(points, requires_grad=True, bf16=True),
        Exporter(points),
        sparse.csr_array(points),
    ):
        np.testing.assert_array_equal(rows_of(array, None).measure.points, points)
        np.testing.assert_array_equal(Offer(array).points(None)[0].points, points)


@pytest.mark.parametrize("shape", [(60, 5, 6), (60, 3, 5, 6), (60, 5, 6, 3)])
def test_images_are_compared_pixel_by_pixel_by_a_recipe_of_their_own(
    shape: tuple[int, ...],
) -> None:
    images = np.random.default_rng(2).integers(0, 256, shape)
    rows = rows_of(images, None)
    assert rows.recipe is not None
    assert rows.recipe.field_names == ["image"]
    assert rows.measure.points.shape == (60, np.prod(shape[1:]))
    with pytest.raises(RecipeError, match="name the range, Image"):
        rows_of(images / 20, None)


def test_labels_and_weights_come_from_the_fields_with_these_roles() -> None:
    weighted = FRAME.assign(weight=np.arange(200))
    recipe = Recipe.fit(weighted, roles={"kind": "label", "weight": "weight"})
    rows = rows_of(weighted, recipe)
    assert rows.labels is not None
    assert rows.labels.tolist() == FRAME["kind"].tolist()
    np.testing.assert_allclose(rows.measure.weights, np.arange(200) / np.arange(200).sum())


def test_a_measure_has_no_columns_to_make_points_of() -> None:
    points = Measure(np.eye(2))
    with pytest.raises(InvalidArgumentError, match="received a Measure"):
        rows_of(points, RECIPE)
    with pytest.raises(InvalidArgumentError, match="received a Measure"):
        Offer(points).points(RECIPE)


def test_a_recipe_needs_a_box_that_holds_it() -> None:
    require_sealable(RECIPE, sealed=True)
    with pytest.raises(InvalidArgumentError, match="an open reference has no key"):
        require_sealable(RECIPE, sealed=False)
    wide = Recipe.fit(np.random.default_rng(0).normal(size=(30, 170)), jitter=False)
    with pytest.raises(InvalidArgumentError, match=r"at most 786,432 characters .* leave out"):
        require_sealable(wide, sealed=True)


def test_what_fits_becomes_the_points_of_the_recipe() -> None:
    offered = FRAME[["kind", "income", "age"]].assign(id=np.arange(200), note="x")
    with pytest.warns(UserWarning, match="left out the columns 'note', 'id'"):
        measure, labels = Offer(offered).points(RECIPE)
    assert np.asarray(labels).tolist() == FRAME["kind"].tolist()
    assert measure.points.shape == (200, 2)


def test_what_does_not_fit_is_refused_with_a_sentence_and_the_name_to_accept_it_by() -> None:
    offered = FRAME.assign(age=FRAME["age"] + 300, income=FRAME["income"] / 1000)
    with pytest.raises(DifferencesError) as refused:
        Offer(offered).points(RECIPE)
    assert [each.name for each in refused.value.differences] == ["out-of-range:age", "unit:income"]
    assert "- unit:income: expected" in str(refused.value)
    assert "accept_differences=['out-of-range:age', 'unit:income']" in str(refused.value)
    with pytest.raises(DifferencesError) as refused:
        Offer(offered).points(RECIPE, ["out-of-range:age"])
    assert [each.field for each in refused.value.differences] == ["income"]
    Offer(offered, factors={"income": 1000}).points(RECIPE, ["out-of-range:age"])


def test_who_passes_a_difference_is_told_to_pass_its_name() -> None:
    found = Offer(FRAME.assign(age=FRAME["age"] + 300)).differences(RECIPE)
    with pytest.raises(InvalidArgumentError, match="pass the `name` of each difference"):
        require_kinds(found)  # type: ignore[arg-type]


def test_too_few_rows_to_find_wrong_labels_after_whitening_are_told() -> None:
    coordinates = len(RECIPE.fitted.whitening or ())
    with pytest.warns(UserWarning, match=r"at least 6 rows .* received 5: .*whiten=False"):
        warn_of_few_rows(3 * coordinates - 1, RECIPE, ["measure"])
    warn_of_few_rows(3 * coordinates, RECIPE, ["measure"])
    warn_of_few_rows(1, RECIPE, ["cost-block"])
    warn_of_few_rows(1, Recipe.fit(FRAME, whiten=False), ["measure"])


def test_labels_that_the_buyer_spells_otherwise_are_refused_until_they_are_accepted() -> None:
    offered = FRAME.assign(kind=FRAME["kind"].str.upper())
    with pytest.raises(DifferencesError) as refused:
        Offer(offered).points(RECIPE)
    assert "- unknown-classes:kind: expected the buyer's classes" in str(refused.value)
    assert "'ANT' (write 'ant'), 'BEE' (write 'bee')" in str(refused.value)
    assert "accept_differences=['unknown-classes:kind']" in str(refused.value)
    _, labels = Offer(offered).points(RECIPE, ["unknown-classes:kind"])
    assert set(np.asarray(labels)) == {"ANT", "BEE"}
    with pytest.raises(DifferencesError, match=r"accept_differences=\['unknown-classes'\]"):
        Offer(FRAME, labels=offered["kind"]).points(RECIPE)


def test_a_recipe_tells_sellers_the_classes_that_are_scored_and_no_others() -> None:
    assert with_scored_classes(RECIPE, None, ["measure"]) == RECIPE
    assert with_scored_classes(RECIPE, None, ["cost-block"]).fitted.classes is None
    own = Labels(["x"] * 100 + ["y"] * 97 + ["z"] * 3)
    named = with_scored_classes(RECIPE, own, ["measure"])
    assert named.fitted.classes is not None
    assert named.fitted.classes.names == ["x", "y"]
    assert Recipe.from_parts(named.public, named.fitted) == named


def test_codes_for_missing_values_are_refused_until_they_are_accepted() -> None:
    offered = FRAME.assign(income=FRAME["income"].where(FRAME.index % 20 > 0, -999))
    with pytest.raises(DifferencesError, match=r"accept_differences=\['missing-code:income'\]"):
        Offer(offered).points(RECIPE)
    assert Offer(offered).points(RECIPE, ["missing-code:income"])[0].size == 200


def test_what_must_be_corrected_cannot_be_accepted() -> None:
    with pytest.raises(DifferencesError, match="rename") as refused:
        Offer(FRAME.rename(columns={"age": "Age"})).points(RECIPE)
    assert "accept_differences" not in str(refused.value)
    Offer(FRAME.rename(columns={"age": "Age"}), rename={"Age": "age"}).points(RECIPE)


def test_without_a_recipe_there_are_no_columns_to_rename() -> None:
    points = FRAME[["age", "income"]].to_numpy()
    np.testing.assert_array_equal(Offer(points).points(None)[0].points, points)
    with pytest.raises(InvalidArgumentError, match="no recipe"):
        Offer(points, rename={"a": "b"}).points(None)


def test_texts_need_the_same_word_vectors_on_both_sides() -> None:
    texts = {"note": ["ant bee", "bee", "ant", "bee bee ant"] * 10}
    vectors = {"note": {"ant": [1.0, 0.0], "bee": [0.0, 1.0]}}
    recipe = Recipe.fit(texts, kinds={"note": Text()}, vectors=vectors)
    ours = rows_of(texts, recipe, vectors).measure
    theirs, _ = Offer(texts, vectors=vectors).points(recipe)
    np.testing.assert_array_equal(ours.points, theirs.points)
    with pytest.raises(RecipeError, match="vectors"):
        Offer(texts).points(recipe)


def test_both_parts_of_a_recipe_must_be_the_buyers() -> None:
    assert agreed_recipe(asked(RECIPE), RECIPE.fitted) == RECIPE
    assert agreed_recipe(asked(None), None) is None
    renamed = Recipe.fit(FRAME.rename(columns={"age": "Age"}), roles={"kind": "label"}, seed=1)
    for shown, fitted in ((renamed, RECIPE.fitted), (None, RECIPE.fitted), (RECIPE, None)):
        with pytest.raises(SealingError, match="upload nothing"):
            agreed_recipe(asked(shown), fitted)


def test_a_saved_request_keeps_its_recipe(tmp_path: Path) -> None:
    kept = SavedRequest("req_1", PrivatePush(0.5, 0.0), None, None, recipe=RECIPE)
    kept.save(tmp_path / "request.json")
    assert SavedRequest.load(tmp_path / "request.json") == kept


def test_the_buyers_audit_says_what_the_recipe_tells_sellers() -> None:
    measure = rows_of(FRAME, RECIPE).measure
    key = ReferenceKey.draw(Reference(1, 2, Normal(), 7), scale_hiding(measure))
    check = DisclosureCheck(DisclosureClass.APPROXIMATE)
    audited = check.audit_request(
        measure,
        project(measure, key.reference.measure()),
        0.4,
        key,
        shown_to_sellers=False,
        own_scores="noisiest",
        recipe=RECIPE,
    )
    assert audited is not None
    (told,) = [each for each in audited.exposures if "recipe" in each.receiver]
    assert told.disclosure_class is DisclosureClass.SCALARS
    assert RECIPE.disclosed in str(audited)
    assert "quantiles" in RECIPE.disclosed


@pytest.mark.parametrize("pair", ["income", "income=", "=1000"])
def test_the_command_line_takes_pairs_of_names_only(pair: str) -> None:
    with pytest.raises(typer.BadParameter, match="expected NAME=VALUE"):
        renamed([pair])


def test_the_command_line_takes_factors_that_are_numbers() -> None:
    assert renamed(["a=b", "x=y=z"]) == {"a": "b", "x=y": "z"}
    assert multiplied(["income=1e3"]) == {"income": 1000.0}
    with pytest.raises(typer.BadParameter, match="such as income=1000, received 'income=th"):
        multiplied(["income=thousand"])
    with pytest.raises(typer.BadParameter, match="such as income=100, received '100=income'"):
        multiplied(["100=income"])


def test_an_unknown_kind_of_difference_cannot_be_accepted() -> None:
    with pytest.raises(InvalidArgumentError, match=r"out-of-range, .*received 'range:age'"):
        require_kinds(["unit:income", "repeated", "range:age"])
    require_kinds(["unit:income", "repeated"])
