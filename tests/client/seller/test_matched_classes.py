"""Classes are matched by name; a seller with other names than the buyer's gets an error."""

import numpy as np
import pytest

from wassay import Constant, Recipe, Reference
from wassay.client.buyer.labels import Labels
from wassay.client.seller.matched_classes import names_of, reweight_classes
from wassay.client.shared.class_codes import class_codes
from wassay.client.shared.shared_reference import OpenReference
from wassay.errors import InvalidArgumentError
from wassay.transport import Measure

SEEN = Measure(np.array([[0.0, 0.0], [1.0, 1.0]]))  # one point of class 0, one of class 1


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["cat", "dog", "owl"], "yours add owl: write the names as the buyer does"),
        (["cat", "cat", "cat"], "yours lack dog: write the names as the buyer does"),
        (["cat", "Dog", "Dog"], "yours lack dog and add Dog: write the names as the buyer does"),
        (["cat", "dog ", "dog"], "yours have a name in two spellings that differ in spaces"),
    ],
)
def test_a_seller_is_told_which_names_of_classes_differ(labels: list[str], told: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"the classes cat, dog; {told}"):
        reweight_classes(Measure(np.zeros((3, 1))), labels, SEEN, ["cat", "dog"])


def test_names_of_classes_match_in_spaces_unicode_forms_and_types_of_numbers() -> None:
    # "é" is one character, or an "e" with a combining accent. One party's numbers are floats.
    buyer, seller = ["caf\u00e9", "tea"], [" cafe\u0301 ", "tea"]
    _, numbers = reweight_classes(Measure(np.zeros((2, 1))), seller, SEEN, names_of(buyer))
    assert numbers.tolist() == [0, 1]
    assert names_of([1.0, 2.0]) == names_of([1, 2]) == names_of(["1", "2"]) == ["1", "2"]
    assert names_of([False, True]) == ["false", "true"]


def test_names_of_classes_are_text_and_not_bytes_that_look_like_it() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"as text, received bytes such as b'cat': decode"
    ):
        names_of(np.array(["cat", "dog"], dtype=bytes))
    assert names_of(["00", "0"]) == ["0", "00"]


def test_labels_of_a_recipe_match_in_spaces_and_unicode_forms_as_its_comparison_says() -> None:
    random = np.random.default_rng(0)
    values = {"x": random.normal(size=60), "y": random.normal(size=60)}
    buyer = {**values, "drink": ["caf\u00e9", "tea", "tea ", "caf\u00e9"] * 15}
    seller = {**values, "drink": ["caf\u00e9", " tea", "tea", "cafe\u0301"] * 15}
    recipe = Recipe.fit(buyer, roles={"drink": "label"}, seed=1)
    assert recipe.compare(seller) == []
    wanted, offered = recipe.apply(buyer), recipe.apply(seller)
    assert wanted.labels is not None
    assert offered.labels is not None

    names = names_of(wanted.labels)
    assert names == ["caf\u00e9", "tea"]
    classes = np.array([0.0, 1, 1, 0] * 15)
    seen = Measure(np.column_stack([wanted.points, classes]))
    _, numbers = reweight_classes(Measure(offered.points), offered.labels, seen, names)
    assert numbers.tolist() == classes.tolist()

    open_reference = OpenReference(Reference(1, 2, Constant(0.0), 0))
    codes = class_codes(offered.labels, open_reference)
    assert codes.tolist() == class_codes(wanted.labels, open_reference).tolist()
    assert Labels(["tea", " tea", "caf\u00e9", "cafe\u0301"]).scored_classes(["measure"]) == 2
