"""All valuation methods, by name."""

from typing import Any

from wassay.client.valuation.methods.comparison import ComparisonMethod
from wassay.client.valuation.methods.method import ValuationMethod
from wassay.client.valuation.methods.mislabelled import MislabelledMethod
from wassay.client.valuation.methods.points import (
    NoiseMethod,
    NoisyMethod,
    OutliersMethod,
    ValuableMethod,
)
from wassay.client.valuation.methods.purchase import PurchaseMethod
from wassay.client.valuation.methods.shapley import ShapleyMethod
from wassay.errors import InvalidArgumentError

SHAPLEY, BUY, COMPARE = ShapleyMethod(), PurchaseMethod(), ComparisonMethod()
NOISY, VALUABLE, OUTLIERS = NoisyMethod(), ValuableMethod(), OutliersMethod()
NOISE = NoiseMethod()
MISLABELLED = MislabelledMethod()

_METHODS: tuple[ValuationMethod[Any], ...] = (
    SHAPLEY,
    BUY,
    COMPARE,
    NOISY,
    VALUABLE,
    OUTLIERS,
    NOISE,
    MISLABELLED,
)

VALUATIONS: dict[str, ValuationMethod[Any]] = {method.name: method for method in _METHODS}


def method_of(name: str) -> ValuationMethod[Any]:
    """Return the valuation method with the given name.

    Raises
    ------
    InvalidArgumentError
        If no method has the name.
    """
    if name not in VALUATIONS:
        raise InvalidArgumentError(
            f"expected one of the methods {', '.join(VALUATIONS)}, received {name!r}"
        )
    return VALUATIONS[name]
