"""Codes of classes, and scores of labels between the values of a sweep."""

import numpy as np
import pytest

from wassay import Constant, Measure, Reference
from wassay.client.buyer.labels import Labels
from wassay.client.shared.class_codes import class_code, class_codes
from wassay.client.shared.label_exposures import exposed_classes, labels_scored_for_buyer
from wassay.client.shared.shared_reference import OpenReference
from wassay.client.valuation.label_scores import label_scores_at_push
from wassay.errors import InvalidArgumentError
from wassay.models import LabelScores
from wassay.reference_key import ReferenceKey

REFERENCE = Reference(1, 2, Constant(0.0), seed=1)


def read(**members: object) -> LabelScores:
    empty: dict[str, object] = {"sweep": None, "values": None, "ranks": None, "worst": []}
    return LabelScores.model_validate(
        {"evaluation_id": "evl_1", "contribution_id": "con_1"} | empty | members
    )


def test_classes_of_one_name_have_one_code_that_only_the_key_tells() -> None:
    key, other = (ReferenceKey.draw(REFERENCE, 1.0) for _ in range(2))
    codes = class_codes(["b", " a", "b", "a "], key)
    assert codes[0] == codes[2] != codes[1] == codes[3]
    np.testing.assert_array_equal(class_codes(np.array(["a", "b"]), key), codes[[1, 0]])
    assert not set(class_codes(["a", "b"], other)) & set(codes)
    assert not set(class_codes(["a", "b"], OpenReference(REFERENCE))) & set(codes)


def test_labels_are_compared_as_text() -> None:
    key = ReferenceKey.draw(REFERENCE, 1.0)
    whole = class_codes([1, 0, 2], key)
    for same in (
        np.array([1.0, 0.0, 2.0]),
        np.array(["1", "0", "2"]),
        np.array([b"1", b"0", b"2"]),
    ):
        np.testing.assert_array_equal(class_codes(same, key), whole)
    np.testing.assert_array_equal(class_codes(["caf\u00e9"], key), class_codes(["cafe\u0301"], key))


def test_codes_are_whole_numbers_that_float64_holds() -> None:
    codes = [class_code(str(name), b"k" * 32) for name in range(200)]
    assert len(set(codes)) == 200
    assert all(0 <= code < 2**52 and code.is_integer() for code in codes)
    # Any program can repeat the derivation.
    assert class_code("cat", bytes(32)) == 1322593762998658


def test_at_a_solved_s_scores_are_those_of_that_s_and_between_two_a_mean() -> None:
    swept = read(sweep=[0.2, 0.6], values=[[1.0, 0.0], [0.0, 4.0]])
    at = label_scores_at_push(swept, 0.6)
    assert at.values is not None
    np.testing.assert_allclose(at.values, [0.0, 4.0], atol=1e-12)
    middle = 1 - np.sqrt(0.8 * 0.4)  # halfway in ln(1 − s)
    between = label_scores_at_push(swept, middle)
    assert between.values is not None
    np.testing.assert_allclose(between.values, [0.5, 2.0], atol=1e-12)
    assert between.highest(1) == [1]
    assert between.accuracy == pytest.approx(-2.5)
    outside = label_scores_at_push(swept, 0.9)
    assert outside.values is not None
    np.testing.assert_allclose(outside.values, [0.0, 4.0], atol=1e-12)


def test_what_is_not_disclosed_is_none() -> None:
    ranked = label_scores_at_push(read(ranks=[1, 0, 2], worst=[1]), 0.5)
    assert (ranked.values, ranked.accuracy, ranked.highest(2)) == (None, None, [1, 0])
    few = label_scores_at_push(read(worst=[4, 2]), None)
    assert (few.values, few.ranks, few.highest(5)) == (None, None, [4, 2])
    own = label_scores_at_push(read(values=[[0.5, -0.5]]), None)
    assert own.values is not None
    np.testing.assert_array_equal(own.values, [0.5, -0.5])


def test_labels_need_one_reference_point_and_are_not_scored_beside_costs() -> None:
    measure, labels = Measure(np.eye(2)), Labels(["a", "b"])
    labels.require_usable(measure, ["measure"], None)
    for modes, reference, message in (
        (["measure", "cost-block"], None, "labels are scored in mode measure alone"),
        (["measure"], Reference(3, 2, Constant(0.0), seed=1), "a reference of one point"),
    ):
        with pytest.raises(InvalidArgumentError, match=message):
            labels.require_usable(measure, modes, reference)


def test_the_audit_says_what_classes_and_their_scores_tell() -> None:
    assert "3 classes" in exposed_classes(3, sealed=True).explanation
    assert "cannot read" in exposed_classes(3, sealed=True).explanation
    assert "can guess" in exposed_classes(3, sealed=False).explanation
    assert labels_scored_for_buyer("none") == ()
    assert "order" in labels_scored_for_buyer("ranks")[0].explanation
