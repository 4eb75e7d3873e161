"""The published JSON Schema, checked with an independent validator."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import numpy as np
import pytest

import wassay.recipes
from tests.recipes.tables import people
from wassay import Recipe, RecipeError
from wassay.recipes import limits
from wassay.recipes.schema import recipe_schema

PUBLISHED = Path(wassay.recipes.__file__).with_name("recipe.schema.json")
VALIDATOR = jsonschema_rs.validator_for(json.loads(PUBLISHED.read_text(encoding="utf-8")))
RANDOM = np.random.default_rng(2)
DOCUMENT = json.loads(
    Recipe.fit(
        people(60, seed=1).assign(
            city=RANDOM.choice(["a", "b"], 60),
            member=RANDOM.random(60) < 0.5,
            vector=list(RANDOM.normal(size=(60, 3))),
        ),
        roles={"age": "weight"},
        seed=1,
    ).to_json()
)


def changed(path: str, value: Any) -> Any:
    """Return the document with another value at a path of names."""
    document = json.loads(json.dumps(DOCUMENT))
    *names, last = path.split("/")
    at = document
    for name in names:
        at = at[int(name) if name.isdigit() else name]
    at[last] = value
    return document


def test_the_published_schema_is_that_of_the_code() -> None:
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json.loads(
        json.dumps(recipe_schema())
    )


def test_a_recipe_is_valid() -> None:
    VALIDATOR.validate(DOCUMENT)
    Recipe.from_json(json.dumps(DOCUMENT))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("version", 2),
        ("code", "print()"),
        ("public/fields/0/role", "target"),
        ("public/fields/1/weight", 0),
        ("public/fields/1/kind/transform", "eval"),
        ("public/fields/1/kind/kind", "pickle"),
        ("fitted/public_sha256", "abc"),
        ("fitted/fields/income/fit/quantiles", [0.5] * (limits.MOST_QUANTILES + 1)),
        ("fitted/fields/city/fit/categories", ["c"] * (limits.MOST_CATEGORIES + 1)),
        ("fitted/fields/city/centre", [0.0] * (limits.MOST_DIMENSIONS + 1)),
        ("fitted/whitening", [[1.0]] * (limits.MOST_WHITENED + 1)),
        ("fitted/fields/income/scale", 1e-300),
        ("fitted/fields/income/fit/quantiles", [1e300]),
        ("public/fields", []),
    ],
)
def test_what_the_schema_refuses_is_no_recipe(path: str, value: Any) -> None:
    document = changed(path, value)
    assert not VALIDATOR.is_valid(document)
    with pytest.raises(RecipeError):
        Recipe.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("fitted/fields/income/fit/quantiles", [2.0, 1.0], ": expected ascending quantiles$"),
        ("fitted/fields/city/fit/categories", ["a", "a"], "different categories"),
        ("public/fields/1/name", "city", "different names"),
        ("public/fields/1/dimension", 2, "public part"),
        ("fitted/fields/vector/fit", {"of": "share", "share": 0.5}, "field 'vector' to be fitted"),
        ("fitted/fields/city/centre", [0.0], "coordinates of field 'city'"),
    ],
)
def test_parts_that_contradict_each_other_are_no_recipe(
    path: str, value: Any, sentence: str
) -> None:
    with pytest.raises(RecipeError, match=sentence):
        Recipe.from_json(json.dumps(changed(path, value)))


def test_too_many_bytes_are_refused_before_they_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wassay.recipes.parsing.MOST_BYTES", 100)
    with pytest.raises(RecipeError, match="at most 100 bytes, received 101"):
        Recipe.from_json(b"[" * 101)
