"""What contributions add to each other, as far as the groups that this takes can be solved."""

import time
from dataclasses import replace

from wassay.client.arguments import as_count, as_positive
from wassay.client.errors import InvalidArgumentError
from wassay.client.flows import Flow
from wassay.client.further_groups import FurtherGroups
from wassay.client.groups import every_group
from wassay.transport import Shapley
from wassay.transport.market.shapley import (
    EXACT_UP_TO,
    FIRST_ORDERS,
    every_group_shared,
    further_orders,
    sampled_shares,
)


def shared_among(
    further: FurtherGroups, standard_error: float, most_orders: int, seconds: float | None
) -> Flow[Shapley]:
    """Have groups solved until the Shapley values are known well enough, or a limit is reached.

    See `Evaluation.shapley`.
    """
    as_positive(standard_error, "standard_error")
    if as_count(most_orders, "most_orders", least=2) % 2:
        raise InvalidArgumentError(
            f"most_orders is even, for each order is taken backwards too, came {most_orders}"
        )
    if seconds is not None:
        as_positive(seconds, "seconds")
    began = time.monotonic()
    known = yield from further.known()
    known.require_aggregates()
    names = known.contribution_ids
    if len(names) <= EXACT_UP_TO:
        yield from further.solve(every_group(names))
        return every_group_shared(names, known)
    orders = min(FIRST_ORDERS, most_orders)
    while True:
        yield from further.solve_orders(orders)
        found = sampled_shares(names, known, known.weights, orders=orders)
        more = further_orders(found, known, standard_error)
        if not more:
            return replace(found, ended_by="standard-error")
        if orders >= most_orders:
            return found
        if seconds is not None:
            passed = time.monotonic() - began
            more = min(more, 2 * int((seconds / passed - 1) * orders / 2))
        if more < 2:
            return replace(found, ended_by="time")
        orders = min(orders + more, most_orders)
