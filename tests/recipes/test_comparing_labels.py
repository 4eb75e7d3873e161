"""Labels that are no classes of the recipe are found before anything is sent."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.recipes.tables import people
from wassay import Recipe


def labelled(rows: int, seed: int, names: tuple[Any, Any]) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    chosen = random.random(rows) < 0.3
    return people(rows, seed).assign(
        churned=[names[0] if each else names[1] for each in chosen.tolist()]
    )


def labelled_differences(
    buyer: tuple[Any, Any], seller: tuple[Any, Any]
) -> list[tuple[str, str | None, dict[str, str]]]:
    recipe = Recipe.fit(labelled(400, 1, buyer), roles={"churned": "label"}, seed=1)
    compared = recipe.compare(labelled(200, 2, seller))
    return [(each.kind, each.field, dict(each.spellings)) for each in compared]


@pytest.mark.parametrize(
    ("buyer", "seller", "spellings"),
    [
        (("yes", "no"), ("YES", "No"), {"YES": "yes", "No": "no"}),
        (("on hold", "no"), ("on_hold", "no"), {"on_hold": "on hold"}),
        ((1, 0), ("1.0", "00"), {"1.0": "1", "00": "0"}),
        ((True, False), ("True", "False"), {"True": "true", "False": "false"}),
        (("yes", "no"), ("oui", "no"), {}),
    ],
    ids=["case", "space", "number-as-text", "boolean-as-text", "other"],
)
def test_labels_of_no_class_of_the_buyers_are_told_with_the_buyers_spelling(
    buyer: tuple[Any, Any], seller: tuple[Any, Any], spellings: dict[str, str]
) -> None:
    assert labelled_differences(buyer, seller) == [("unknown-classes", "churned", spellings)]


@pytest.mark.parametrize(
    ("buyer", "seller"),
    [(("yes", "no"), (" yes", "no ")), ((1, 0), ("1", "0")), ((1, 0), (1.0, 0.0))],
)
def test_labels_that_are_compared_as_the_same_class_do_not_differ(
    buyer: tuple[Any, Any], seller: tuple[Any, Any]
) -> None:
    assert labelled_differences(buyer, seller) == []


def test_rows_of_a_class_that_only_the_seller_has_are_named() -> None:
    recipe = Recipe.fit(labelled(400, 1, ("yes", "no")), roles={"churned": "label"}, seed=1)
    offered = labelled(200, 2, ("yes", "no"))
    offered.loc[[7, 90], "churned"] = "maybe"
    (difference,) = recipe.compare(offered)
    assert (difference.kind, difference.rows, difference.count) == ("unknown-classes", (7, 90), 2)
    assert "the buyer's classes in column 'churned', 'no', 'yes'" in str(difference)
    offered.loc[[7, 90], "churned"] = None
    (difference,) = recipe.compare(offered)
    assert (difference.kind, difference.rows) == ("empty", (7, 90))
    (difference,) = recipe.compare(offered, labels=["Yes"] * 200)
    assert (difference.kind, difference.field) == ("unknown-classes", None)


def test_a_recipe_names_only_classes_that_five_rows_have() -> None:
    frame = labelled(400, 1, ("yes", "no"))
    frame.loc[range(4), "churned"] = ["a", "a", "b", "c"]
    recipe = Recipe.fit(frame, roles={"churned": "label"}, seed=1)
    assert recipe.fitted.classes is not None
    assert recipe.fitted.classes.names == ["no", "yes"]
    assert recipe.fitted.classes.others == 0.01
    assert recipe.compare(frame) == []
    assert "yes" not in recipe.public.model_dump_json()
    assert "classes that at least 5 rows have" in recipe.disclosed
    assert (
        Recipe.fit(frame.assign(churned=range(400)), roles={"churned": "label"}).fitted.classes
        is None
    )
