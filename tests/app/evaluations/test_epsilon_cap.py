"""The sum of ε that a cap allows an organisation, without a database."""

import pytest

from app.accounts.models import Account
from app.contributions.problems import CapExceeded
from app.evaluations.privacy import cap_check
from app.requests.models import Request


def require(epsilon: float | None, allowed: float, spent: list[float | None]) -> None:
    request = Request(epsilon=epsilon, account=Account(organisation="Acme"))
    cap_check._require_epsilon(request, "lst_1", allowed, spent)


def left_after(epsilon: float | None, allowed: float, spent: list[float | None]) -> float:
    """Return the ε that the refusal of another evaluation states as left."""
    with pytest.raises(CapExceeded) as refused:
        require(epsilon, allowed, spent)
    members = refused.value.body()
    assert (members["cap"], members["expected"], members["received"]) == (
        "epsilon",
        allowed,
        epsilon,
    )
    left: float = members["left"]
    return left


def test_three_times_a_tenth_is_three_tenths_though_not_in_floats() -> None:
    assert 0.3 - 0.2 < 0.1
    require(0.1, 0.3, [0.1, 0.1])


def test_what_was_spent_and_a_millionth_more_than_is_left_are_refused() -> None:
    assert left_after(0.1000001, 0.3, [0.1, 0.1]) == pytest.approx(0.1)
    assert left_after(1e-9, 0.3, [0.1, 0.2]) == pytest.approx(0, abs=1e-15)


def test_results_without_noise_spend_nothing() -> None:
    require(0.2, 0.3, [None, 0.1, None])


def test_where_epsilon_is_capped_a_result_without_noise_is_refused() -> None:
    assert left_after(None, 0.5, [0.125]) == 0.375


def test_nothing_is_left_where_more_was_spent_than_a_lowered_cap_allows() -> None:
    assert left_after(0.1, 0.5, [0.5, 0.75]) == 0
