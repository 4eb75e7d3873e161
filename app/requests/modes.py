"""The modes in which sellers may contribute to a request, and the terms that they require."""

from collections.abc import Collection
from typing import Annotated

from pydantic import AfterValidator, Field

from wassay.models import Mode, Request
from wassay.modes import MODES

from ..http.request_models import meaning
from .problems import MeasureNotRevealed, OrderNotInMode


def _known(mode: str) -> str:
    if mode not in MODES:
        raise ValueError(f"expected one of {', '.join(MODES)}")
    return mode


def _distinct(modes: list[str]) -> list[str]:
    if len(set(modes)) < len(modes):
        raise ValueError("expected each mode at most once")
    return modes


KnownMode = Annotated[Mode, AfterValidator(_known)]
Modes = Annotated[
    list[KnownMode],
    Field(
        min_length=1,
        max_length=len(MODES),
        description=f"{meaning(Request, 'modes')} `cost-block` and `scalar` need "
        "`reveals_measure`.",
    ),
    AfterValidator(_distinct),
]


def check_modes(modes: Collection[str], order: int, *, reveals_measure: bool) -> None:
    """Raise if a mode does not fit the other terms of a request.

    Raises
    ------
    MeasureNotRevealed
        If a mode needs sellers to download the buyer's measure, but `reveals_measure` is false.
    OrderNotInMode
        If a mode does not support the order.
    """
    revealing = [mode for mode in modes if MODES[mode].reveals_measure]
    if revealing and not reveals_measure:
        raise MeasureNotRevealed(
            f"Expected reveals_measure with {' and '.join(revealing)}; received false. In these "
            "modes, sellers download the buyer's measure η_μ(t0), and can invert it if they know "
            f"the reference. Set reveals_measure, or leave {' and '.join(revealing)} out of modes.",
            expected={"reveals_measure": True},
            received={"modes": list(modes), "reveals_measure": reveals_measure},
        )
    for mode in modes:
        orders = sorted(MODES[mode].orders)
        if order not in orders:
            raise OrderNotInMode(
                f"Expected order {' or '.join(map(str, orders))} with mode {mode}; received "
                f"{order}. Choose another order, or leave {mode} out of modes.",
                expected=orders[0] if len(orders) == 1 else orders,
                received=order,
            )
