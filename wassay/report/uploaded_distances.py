"""Distances between the uploaded points at one s of the sweep, for reports without t0."""

from collections.abc import Iterator, Mapping
from math import sqrt

from wassay import models
from wassay.received_curves import distance_curve, noised_distance
from wassay.report.report import Coalition, Distance


def middle(sweep: list[float]) -> float:
    """Return the middle s of a sweep; of two, the later one."""
    return sweep[len(sweep) // 2]


def uploaded_distances(
    result: models.Result | models.NoisedResult, s: float
) -> Mapping[Coalition, Distance]:
    """Return the distance at one s of each coalition that the result has."""
    if isinstance(result, models.NoisedResult):
        return dict(_noised(result, s))
    return dict(_certified(result, s))


def _certified(result: models.Result, s: float) -> Iterator[tuple[Coalition, Distance]]:
    everyone = frozenset(seller.contribution_id for seller in result.sellers)

    def at(curve: models.Curve) -> Distance:
        evaluated = distance_curve(curve, result.order)
        value = evaluated.distance(s)
        if any(point.certificate is None for point in curve.points):
            return Distance(value, None, evaluated.tie_interval(s))
        squares = evaluated.bracket(s)
        interval = None if squares is None else (sqrt(squares[0]), sqrt(squares[1]))
        return Distance(value, interval, evaluated.tie_interval(s))

    for coalition in result.coalitions:
        yield frozenset(coalition.contribution_ids), at(coalition.curve)
    for seller in result.sellers:
        singleton = frozenset([seller.contribution_id])
        if seller.leave_one_out is not None:
            yield everyone - singleton, at(seller.leave_one_out)
        yield singleton, at(seller.singleton)
    if result.grand_coalition is not None:
        yield everyone, at(result.grand_coalition)


def _noised(result: models.NoisedResult, s: float) -> Iterator[tuple[Coalition, Distance]]:
    def at(costs: list[models.NoisedCost]) -> Distance:
        found = noised_distance(costs, s, result.confidence)
        return Distance(found.value, found.interval, (found.value, found.value))

    for seller in result.sellers:
        yield frozenset([seller.contribution_id]), at(seller.singleton)
    yield frozenset(seller.contribution_id for seller in result.sellers), at(result.grand_coalition)
