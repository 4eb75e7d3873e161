"""Classes are matched by name; a seller with other names than the buyer's gets an error."""

import numpy as np
import pytest

from wassay.client.seller.matched_classes import names_of, reweight_classes
from wassay.errors import InvalidArgumentError
from wassay.transport import Measure

SEEN = Measure(np.array([[0.0, 0.0], [1.0, 1.0]]))  # one point of class 0, one of class 1


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["cat", "dog", "owl"], "yours add owl: write the names as the buyer does"),
        (["cat", "cat", "cat"], "yours lack dog: write the names as the buyer does"),
        (["cat", "Dog", "Dog"], "yours lack dog and add Dog: write the names as the buyer does"),
        (["cat", "dog ", "dog"], "yours have a name with spaces around it and without"),
    ],
)
def test_a_seller_is_told_which_names_of_classes_differ(labels: list[str], told: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"the classes cat, dog; {told}"):
        reweight_classes(Measure(np.zeros((3, 1))), labels, SEEN, ["cat", "dog"])


def test_names_of_classes_are_text_and_not_bytes_that_look_like_it() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"as text, received bytes such as b'cat': decode"
    ):
        names_of(np.array(["cat", "dog"], dtype=bytes))
    assert names_of(["00", "0"]) == ["0", "00"]
