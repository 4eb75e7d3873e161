"""Kinds of field: how categories, booleans, dates, vectors, images and texts become coordinates."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from wassay import Recipe, RecipeError
from wassay.recipes import Image, Number, Ordered, Text, Vector
from wassay.recipes.kinds.category import race_scores, simplex
from wassay.recipes.uniforms import Uniforms

RANDOM = np.random.default_rng(6)
CITIES = RANDOM.choice(["Bern", "Basel", "Genf"], 400, p=[0.5, 0.3, 0.2])


def points(values: Any, applied: Any = None, **options: Any) -> np.ndarray[Any, Any]:
    """Return the points of one column, with a recipe fitted on `values`."""
    kinds = {"x": options.pop("kind")} if "kind" in options else None
    recipe = Recipe.fit({"x": values}, kinds=kinds, seed=1, whiten=False, **options)
    return recipe.apply({"x": values if applied is None else applied}, seed=2).points


def mean_square(found: np.ndarray[Any, Any]) -> float:
    return float(2 * found.var(axis=0).sum())


def test_corners_of_a_simplex_are_at_one_distance() -> None:
    for width in (1, 4, 50):
        corners = simplex(width)
        squares = ((corners[:, None] - corners) ** 2).sum(axis=2)
        np.testing.assert_allclose(squares, 2 * (1 - np.eye(width + 1)), atol=1e-12)


def test_a_category_counts_as_much_as_a_number() -> None:
    for jitter in (True, False):
        assert mean_square(points(CITIES, jitter=jitter)) == pytest.approx(1, rel=0.1)
    corners = points(CITIES, jitter=False)
    of_a_number = points(RANDOM.normal(size=400), jitter=False)
    assert mean_square(of_a_number) == pytest.approx(mean_square(corners), rel=1e-6)


def test_unknown_categories_have_one_corner_of_their_own() -> None:
    found = points(CITIES, ["Bern", "Basel", "Genf", "Paris", "Rome"], jitter=False)
    squares = ((found[:, None] - found) ** 2).sum(axis=2)
    assert squares[3, 4] == 0
    np.testing.assert_allclose(squares[3, :3], squares[0, 1])


def test_categories_with_jitter_are_independent_normal_scores() -> None:
    shares = [0.5, 0.3, 0.15, 0.05]
    codes = RANDOM.choice(4, 20_000, p=shares)
    scores = race_scores(codes, shares, Uniforms.by_position(3, len(codes)).field("x"))
    for column in scores.T:
        assert stats.kstest(column, "norm").pvalue > 0.001
    np.testing.assert_allclose(np.corrcoef(scores.T), np.eye(4), atol=0.03)
    means = np.array([scores[codes == code].mean(axis=0) for code in range(4)])
    assert (means.argmax(axis=0) == range(4)).all()
    # A row's category has the highest score, whose mean is that of the largest of three normals.
    equal = race_scores(
        RANDOM.integers(0, 3, 20_000), [1 / 3] * 3, Uniforms.by_position(4, 20_000).field("x")
    )
    assert equal.max(axis=1).mean() == pytest.approx(3 / (2 * np.sqrt(np.pi)), abs=0.02)


def test_a_category_that_every_row_has_is_not_spread_and_others_are_elsewhere() -> None:
    found = points(["a"] * 50, ["a", "a", "b"], kind="category")
    assert (found[0] == found[1]).all()
    assert np.abs(found[2] - found[0]).max() > 0.5


def test_a_category_of_fewer_than_five_rows_is_not_disclosed() -> None:
    recipe = Recipe.fit({"x": [*CITIES, *["Olten"] * 4]}, seed=1)
    assert recipe.fitted.fields["x"].fit.model_dump()["categories"] == ["Basel", "Bern", "Genf"]


def test_ten_thousand_categories_are_left_out_or_share_corners() -> None:
    many = np.arange(20_000) // 2
    texts = [f"k{number}" for number in many]
    with pytest.warns(UserWarning, match="'k' \\(10,000 different texts in 20,000 rows\\)"):
        recipe = Recipe.fit({"k": texts, "x": many % 97}, seed=1)
    assert recipe.field_names == ["x"]
    with pytest.raises(RecipeError, match="10000 different ones in 20000 rows"):
        Recipe.fit({"k": texts}, kinds={"k": "category"})
    frequent = [f"k{number % 200}" for number in many]
    recipe = Recipe.fit({"k": frequent}, kinds={"k": "category"}, seed=1)
    assert recipe.dimension == 50


def test_booleans_with_jitter_are_normal_and_true_is_above_false() -> None:
    flags = RANDOM.random(2_000) < 0.3
    found = points(flags)[:, 0]
    assert found[flags].min() > found[~flags].max()
    standardised = found / found.std()
    assert abs((standardised**4).mean() - 3) < 0.5
    assert set(points(flags, jitter=False)[:, 0].round(9)) == set(
        points(["yes" if flag else "no" for flag in flags], kind="boolean", jitter=False)[
            :, 0
        ].round(9)
    )
    with pytest.raises(RecipeError, match="true or false in column 'x', received 'perhaps'"):
        points(["yes"] * 30 + ["perhaps"], kind="boolean")


def test_ordered_categories_are_ranks() -> None:
    sizes = RANDOM.choice(["S", "M", "L"], 300)
    kind = Ordered(order=("S", "M", "L"))
    small, medium, large = points(sizes, ["S", "M", "L"], kind=kind, jitter=False)[:, 0]
    assert small < medium < large
    with pytest.raises(RecipeError, match="expected 'S', 'M', 'L' in column 'x', received 'XL'"):
        points(sizes, ["XL"], kind=kind)
    with pytest.raises(RecipeError, match="the order of the categories in column 'x'"):
        points(sizes, kind="ordered")


def test_missing_values_are_at_the_centre_and_a_coordinate_says_so() -> None:
    values = [None if row % 4 == 0 else float(row) for row in range(400)]
    found = points(values, jitter=False)
    missing = np.arange(400) % 4 == 0
    assert found.shape == (400, 2)
    np.testing.assert_allclose(found[missing, 0], found[~missing, 0].mean(), atol=1e-12)
    assert found[missing, 1].min() > found[~missing, 1].max()
    assert mean_square(found) == pytest.approx(1, rel=0.01)
    with pytest.raises(RecipeError, match="a value in every row of column 'x', received none in 1"):
        points(RANDOM.normal(size=99), [None, 3.0])
    with pytest.raises(RecipeError, match="every row"):
        points(values, kind=Number(missing="refuse"))


def test_vectors_keep_their_geometry_and_are_scaled_as_a_whole() -> None:
    vectors = RANDOM.normal(size=(200, 6)) @ RANDOM.normal(size=(6, 6))
    found = points(vectors, kind=Vector(model="e5", version="2", normalised=False))
    assert mean_square(found) == pytest.approx(1)
    centred = vectors - vectors.mean(axis=0)
    np.testing.assert_allclose(found, centred * (found[0, 0] / centred[0, 0]))
    directions = points(vectors * 7, vectors, kind=Vector(normalised=True))
    np.testing.assert_allclose(directions, points(vectors, kind=Vector(normalised=True)))
    with pytest.raises(RecipeError, match="6 coordinates in column 'x', received 5: use the model"):
        points(vectors, vectors[:, :5], kind=Vector(model="e5"))


def test_images_of_another_layout_size_or_range_are_refused() -> None:
    images = RANDOM.integers(0, 256, (40, 3, 6, 5))
    recipe = Recipe.fit(images, kinds={"image": Image(channels="RGB")})
    assert "image, CHW RGB 3×6×5 0–255" in recipe.describe()
    assert recipe.apply(images).points.shape == (40, 90)
    with pytest.raises(RecipeError, match="3×6×5 \\(CHW\\) in column 'image', received 6×5×3"):
        recipe.apply(np.moveaxis(images, 1, -1))
    with pytest.raises(RecipeError, match="from 0 to 255 in column 'image', received 0 to 25"):
        recipe.apply(images * 100)
    with pytest.raises(RecipeError, match=r"8,192 values .* received 150,528 .*embed them"):
        Recipe.fit(np.zeros((20, 3, 224, 224)))


def test_texts_are_mean_vectors_of_their_words() -> None:
    vectors = {"good": [1.0, 0.0], "bad": [-1.0, 0.0], "thing": [0.0, 1.0]}
    texts = RANDOM.choice(["A good thing.", "bad thing", "GOOD good"], 60)
    recipe = Recipe.fit(
        {"x": texts}, kinds={"x": Text(model="toy")}, vectors={"x": vectors}, whiten=False
    )
    found = recipe.apply({"x": ["bad", "good thing"]}, vectors={"x": vectors}).points
    means = np.array(recipe.fitted.fields["x"].centre)
    expected = (np.array([[-1, 0], [0.5, 0.5]]) - means) * recipe.fitted.fields["x"].scale
    np.testing.assert_allclose(found, expected)
    assert recipe.compare({"x": texts}) == []
    assert [each.kind for each in recipe.compare({"x": [1.0, 2.0]})] == ["retyped"]
    with pytest.raises(RecipeError, match="received none: pass vectors="):
        recipe.apply({"x": texts})
    with pytest.raises(RecipeError, match="word vectors with the digest"):
        recipe.apply({"x": texts}, vectors={"x": vectors | {"bad": [-2.0, 0.0]}})
    refusing = {"x": Text(unknown="refuse")}
    with pytest.raises(RecipeError, match="a vector in column 'x', received 'a'"):
        Recipe.fit({"x": texts}, kinds=refusing, vectors={"x": vectors})


def test_labels_and_weights_are_no_coordinates() -> None:
    recipe = Recipe.fit(
        {"x": range(40), "y": [row % 2 for row in range(40)], "w": [2.0] * 40, "id": [0.5] * 40},
        roles={"x": "feature", "y": "label", "w": "weight", "id": "ignored"},
    )
    found = recipe.apply({"x": [3, 4], "y": [1, 0], "w": [1.0, 3.0]})
    assert (found.points.shape, recipe.dimension) == ((2, 1), 1)
    assert found.labels is not None
    assert found.weights is not None
    assert (found.labels.tolist(), found.weights.tolist()) == (["1", "0"], [0.25, 0.75])
    with pytest.raises(RecipeError, match="weights of at least 0"):
        recipe.apply({"x": [3], "y": [1], "w": [-1.0]})
    with pytest.raises(RecipeError, match="a label in every row of column 'y'"):
        recipe.apply({"x": [3], "y": [None], "w": [1.0]})


def test_a_range_that_images_do_not_fill_is_asked_for() -> None:
    sixteenths = RANDOM.integers(0, 17, (40, 4, 4))
    with pytest.raises(RecipeError, match="received 0 to 16: name the range, Image"):
        Recipe.fit(sixteenths)
    recipe = Recipe.fit(sixteenths, kinds={"image": Image(range=(0, 16))})
    assert "16 coordinates, not whitened" in recipe.describe()
    assert "vary together" not in recipe.disclosed
    assert recipe.compare(sixteenths) == []
    (difference,) = recipe.compare(sixteenths / 16)
    assert difference.kind == "unit"
    assert "from 0 to 16 mean black to white, received 0 to 1: scale them" in str(difference)


def test_texts_that_are_all_dates_become_dates() -> None:
    days = [f"19{20 + row % 80}-0{1 + row % 9}-11" for row in range(200)]
    frame = {"born": days, "seen": [f"{day}T14:30:00Z" for day in days], "code": [*days[:-1], "x"]}
    with pytest.warns(UserWarning, match="'code'"):
        recipe = Recipe.fit(frame, seed=1)
    kinds = {field.name: field.kind.kind for field in recipe.public.fields if field.kind}
    assert kinds == {"born": "date", "seen": "datetime"}
    dates = {"born": np.array(days, "datetime64[D]"), "seen": frame["seen"]}
    assert recipe.compare(dates) == []
    assert (recipe.apply(dates).points == recipe.apply(frame).points).all()
