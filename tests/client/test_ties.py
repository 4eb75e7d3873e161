"""What is printed about sellers whose distances are tied."""

import numpy as np
import pytest

from tests.client.documents import result
from wassay import Measure, Normal, Reference, Result
from wassay.client.buyer.private_push import PrivatePush
from wassay.report.number_format import MINUS, Column
from wassay.table import change, fixed, table

T0 = 0.3


def same_rows(count: int) -> tuple[Measure, dict[str, Measure]]:
    random = np.random.default_rng(1)
    buyer, rows = random.normal(size=(12, 3)), random.normal(0.4, 1, (9, 3))
    names = [f"s{place:02}" for place in range(count)]
    return Measure(buyer), {name: Measure(rows[random.permutation(9)]) for name in names}


@pytest.mark.parametrize("k", [1, 4])
def test_the_same_rows_in_another_order_have_one_contribution_and_the_results_order(k: int) -> None:
    buyer, sellers = same_rows(5)
    document = result(buyer, sellers, Reference(k, 3, Normal(), seed=3).measure(), T0)
    found = Result(document, PrivatePush(T0, 0.0)).estimates()
    assert [seller.relative_score for seller in found.sellers] == [1.0] * 5
    assert [seller.label for seller in found.sellers] == list(sellers)
    backwards = document.model_copy(update={"sellers": document.sellers[::-1]})
    found = Result(backwards, PrivatePush(T0, 0.0)).estimates()
    assert [seller.label for seller in found.sellers] == list(sellers)[::-1]


def test_leaving_out_one_of_the_same_changes_nothing_and_has_no_sign() -> None:
    buyer, sellers = same_rows(3)
    document = result(buyer, sellers, Reference(1, 3, Normal(), seed=3).measure(), T0)
    lines = str(Result(document, PrivatePush(T0, 0.0)).estimates()).splitlines()
    assert [line.split()[-1] for line in lines[2:5]] == ["0.0000"] * 3
    assert [line.split()[-2] for line in lines[2:5]] == ["1.00"] * 3


@pytest.mark.parametrize("value", [-1e-17, -0.0, 0.0, 1e-17, -4e-5, 4e-5])
def test_what_rounds_to_zero_has_no_sign(value: float) -> None:
    assert fixed(value) == change(value) == "0.0000"
    column = Column([3.9, value])
    assert column(value) == column.signed(value) == "0.0000"
    huge = Column([4e9, value])
    assert huge.signed(value) == "0"


def test_what_does_not_round_to_zero_keeps_its_sign() -> None:
    assert (change(0.00006), change(-0.00006), fixed(-1.5)) == ("+0.0001", "-0.0001", "-1.5000")
    column = Column([3.9])
    assert (column.signed(0.5), column.signed(-0.5)) == ("+0.5000", f"{MINUS}0.5000")
    assert table(("a",), [(change(-1.0),)]).endswith("-1.0000")
