"""Which scalars are possible for one solved sweep."""

from typing import Any

import pytest
from pydantic import ValidationError

from wassay.models import Scalars

# min over plans of 4 − 2s and 3 + s, and A2 = 1: the corner is at s = 1/3.
HONEST: dict[str, Any] = {
    "points": 40,
    "quadratic_coefficient": 1.0,
    "rounding": 0.0,
    "lines": [
        {"s": 0.25, "alpha": 3.0, "beta": 1.0},
        {"s": 0.5, "alpha": 4.0, "beta": -2.0},
        {"s": 0.75, "alpha": 4.0, "beta": -2.0},
    ],
}
BELOW_ZERO = [{"s": s, "alpha": -1.0, "beta": 0.0} for s in (0.25, 0.5, 0.75)]


def test_the_lines_of_one_curve_pass() -> None:
    assert Scalars.model_validate(HONEST).points == 40


def changed(place: int, **values: float) -> dict[str, Any]:
    lines = [dict(line) for line in HONEST["lines"]]
    lines[place] |= values
    return HONEST | {"lines": lines}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (changed(0, alpha=0.0), "received a lower one of s = 0.25"),
        (changed(1, alpha=5.0), "line of s = 0.5 to be the lowest"),
        (HONEST | {"lines": BELOW_ZERO}, "received a negative one at s = 0.25"),
        (HONEST | {"quadratic_coefficient": -1.0}, "greater than or equal to 0"),
        (HONEST | {"rounding": float("inf")}, "less than or equal to"),
        (changed(0, alpha=float("nan")), "alpha"),
        (changed(0, beta=1e200), "beta"),
        (changed(0, s=1.0), "less than 1"),
        (HONEST | {"points": 0}, "points"),
        (HONEST | {"points": True}, "points"),
        (HONEST | {"lines": HONEST["lines"][:2]}, "at least 3"),
    ],
)
def test_scalars_of_no_curve_are_refused(body: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Scalars.model_validate(body)


def test_rounding_is_forgiven_and_no_more() -> None:
    Scalars.model_validate(changed(1, alpha=4.0 + 1e-12))
    Scalars.model_validate(changed(1, alpha=4.01) | {"rounding": 0.02})
    with pytest.raises(ValidationError):
        Scalars.model_validate(changed(1, alpha=4.01) | {"rounding": 0.001})
