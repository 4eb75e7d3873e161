"""The noise that a request may ask for."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.app.conftest import Party
from tests.app.evaluations.test_differential_privacy import drafted
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

Http = Callable[..., Party]


@pytest.mark.parametrize(
    "terms",
    [
        {"radius": None},
        {"epsilon": None},
        {"order": 1},
        {"reveals_scores": True},
        {"modes": ["measure", "cost-block"], "reveals_measure": True},
        {"size": 2},
    ],
)
def test_noise_of_unknown_size_is_not_promised(http: Http, terms: dict[str, Any]) -> None:
    refused(drafted(http("buyer"), **terms), 422, "noise-not-possible")


@pytest.mark.parametrize(
    "terms", [{"epsilon": 0}, {"epsilon": 101}, {"radius": -1}, {"epsilon": "1"}]
)
def test_an_invalid_epsilon_or_radius_is_refused(http: Http, terms: dict[str, Any]) -> None:
    refused(drafted(http("buyer"), **terms), 422, "invalid")
