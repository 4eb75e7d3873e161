"""A buyer and confederates read the sorted values of an attribute from distances of coalitions."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from tests.app.conftest import Party
from tests.app.evaluations.market import (
    SWEEP,
    Data,
    combined_disclosure,
    evaluate,
    lift_questions,
    market,
    result,
)
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE
from wassay.transport import Measure

pytestmark = [pytest.mark.usefixtures("worker"), ON_SQLITE]

PLACE = np.array([1.0, 0.0, 0.0])
"""Half of the buyer's points are here, and half at −`PLACE`; the attack reads the first coordinate.
"""
FAR = 50.0
"""Confederates' points are this far out, so that each goes to the buyer's point on its side."""

Floats = NDArray[np.float64]
MeasuresByS = Mapping[float, Measure]


def records(count: int) -> Floats:
    return np.random.default_rng(5).normal(size=(count, 3))


def confederate(size: int, beyond: Mapping[float, int]) -> MeasuresByS:
    """Make a confederate with `beyond[s]` points beyond `PLACE` at s, the rest beyond −`PLACE`."""
    rows = np.arange(size)[:, None]
    return {s: Measure(FAR * np.where(rows < beyond[s], PLACE, -PLACE)) for s in SWEEP}


def spying(count: int, *confederates: MeasuresByS) -> Data:
    places = Measure(np.repeat([PLACE, -PLACE], count // 2, axis=0))
    victim = {s: Measure((1 - s) * records(count)) for s in SWEEP}
    return Data(places, [victim, *confederates])


def cost(curve: Mapping[str, Any], s: float, count: int, confederates: int) -> float:
    """Return the victim's part of a coalition's cost: N W² minus the confederates' cost."""
    (distance,) = (point["distance"] for point in curve["points"] if point["s"] == s)
    return float((count + confederates) * distance**2 - confederates * (FAR - 1) ** 2)


def read(sums: Mapping[int, float]) -> Floats:
    """Compute the sorted values from sums, keyed by the number of records at `PLACE`.

    A sum has the values at `PLACE` with a plus, and the others with a minus.
    """
    counts = np.array(sorted(sums))
    halves = PchipInterpolator(counts, [sums[count] / 2 for count in counts])
    return np.sort(np.diff(halves(np.arange(counts[-1] + 1))))


def error_of(values: Floats) -> float:
    """Return the root mean square error of the values, as a share of the attribute's spread."""
    truth = np.sort(records(len(values))[:, 0])
    return float(np.sqrt(np.mean((values - truth) ** 2)) / truth.std())


def guessed_from_the_population(count: int) -> float:
    """Return the error of guessing the expected order statistics of the population."""
    draws = np.random.default_rng(6).normal(size=(1000, count))
    return error_of(np.sort(draws).mean(axis=0))


def test_coalitions_read_an_attribute_of_every_record_unless_the_default_cap_refuses_them(
    http: Callable[..., Party], record_property: Callable[[str, object], None]
) -> None:
    count, sizes = 40, (2, 4, 8, 16, 32)
    sides = [(size, side) for side in (0, 1) for size in sizes]
    held = spying(
        count, *(confederate(size, dict.fromkeys(SWEEP, size * side)) for size, side in sides)
    )
    buyer, sellers, request_id, answers = market(
        http, held, ["measure"] * (1 + len(sides)), questions=False
    )
    victim, of = answers[0], dict(zip(sides, answers[1:], strict=True))
    asked = {
        (taken, side): [victim, *(of[size, side] for size in sizes if size & taken)]
        for side in (0, 1)
        for taken in range(2, count + 1, 2)
    }
    terms = {"coalitions": list(asked.values())}
    refusal = refused(
        buyer.post(f"/v1/requests/{request_id}/evaluations", json=terms), 409, "cap-exceeded"
    )
    assert (refusal["cap"], refusal["expected"], refusal["left"]) == ("questions", 12, 12)
    assert refusal["received"] == 3 * (2 + len(asked))  # the grand coalition and the singleton

    for seller in sellers:
        lift_questions(seller)
    found = result(buyer, evaluate(buyer, request_id, **terms))

    s = SWEEP[0]
    curves = {frozenset(each["contribution_ids"]): each["curve"] for each in found["coalitions"]}
    (alone,) = (each["singleton"] for each in found["sellers"] if each["contribution_id"] == victim)
    # But for squared norms, the cost is −2(1 − s) times the sum.
    sums = {count // 2: -cost(alone, s, count, 0) / 2 / (1 - s)}
    for (taken, side), members in asked.items():
        at_first = (count - taken if side else count + taken) // 2
        of_victim = cost(curves[frozenset(members)], s, count, taken)
        sums[at_first] = -of_victim / 2 / (1 - s)
    error = error_of(read(sums))
    record_property(f"error with {len(asked)} coalitions, {count} records", error)
    assert error < 1e-9
    row = combined_disclosure(sellers[0])
    assert (row["disclosure_class"], row["rank"]) == ("projection", 3)
    rows = sellers[0].get("/v1/disclosures?limit=100").json()["items"]
    (distances,) = (each for each in rows if each["kind"] == "distances")
    assert (distances["disclosure_class"], distances["rank"]) == ("projection", 3)


def test_what_the_default_cap_admits_reads_little_more_than_the_population_tells(
    http: Callable[..., Party], record_property: Callable[[str, object], None]
) -> None:
    count = 100
    # Records at the first place with the one confederate, and with the other, in twentieths of all;
    # with both, their sum less one half; without any, one half.
    levels = dict(zip(SWEEP, [(20, 4), (0, 16), (18, 1)], strict=True))
    held = spying(
        count,
        *(
            confederate(count, {s: count - count // 20 * levels[s][place] for s in SWEEP})
            for place in (0, 1)
        ),
    )
    buyer, (victim, *_), request_id, answers = market(http, held, ["measure"] * 3, questions=False)

    found = result(buyer, evaluate(buyer, request_id))
    path = f"/v1/requests/{request_id}/evaluations"
    again = {"contribution_ids": answers[:2]}
    assert refused(buyer.post(path, json=again), 409, "cap-exceeded")["left"] == 0

    own, one, other = sorted(
        found["sellers"], key=lambda each: answers.index(each["contribution_id"])
    )
    alone = [cost(own["singleton"], s, count, 0) - count for s in SWEEP]
    kept = 1 - np.array(SWEEP)
    norms, half = np.linalg.lstsq(np.column_stack([kept**2, -2 * kept]), alone)[0]
    sums = {count // 2: half}
    for s, (with_one, with_other) in levels.items():
        for level, curve, confederates in (
            (with_one, other["leave_one_out"], count),
            (with_other, one["leave_one_out"], count),
            (with_one + with_other - 10, found["grand_coalition"], 2 * count),
        ):
            of_victim = cost(curve, s, count, confederates)
            sums[level * count // 20] = ((1 - s) ** 2 * norms + count - of_victim) / 2 / (1 - s)
    error, guessed = error_of(read(sums)), guessed_from_the_population(count)
    record_property(f"error with 12 questions, {count} records", error)
    record_property("error of who knows the population", guessed)
    assert len(sums) == 10
    assert guessed / 2 < error < 2 * guessed
    row = combined_disclosure(victim)
    assert (row["disclosure_class"], row["rank"], row["questions"]) == ("scalars", None, 12)
