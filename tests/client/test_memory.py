"""The memory that a seller's data take on the way from rows to the service."""

import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from wassay import Recipe
from wassay.client.buyer.drawn_reference import draw_reference
from wassay.client.connection.npy import ArrayBody
from wassay.client.seller.modes.mode import SweptPoints
from wassay.reference_key import ReferenceKey
from wassay.transport import Measure, project, scale_hiding

ROWS, COLUMNS = 40_000, 20
SIZE = ROWS * COLUMNS * 8
TABLE = {f"c{column}": np.random.default_rng(column).normal(size=ROWS) for column in range(COLUMNS)}


def peak(work: Callable[[], Any]) -> float:
    """Return the peak of the memory that `work` allocates, divided by the size of the points."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / SIZE
    finally:
        tracemalloc.stop()


def test_rows_become_points_without_a_second_copy_of_the_table() -> None:
    recipe = Recipe.fit({name: values[:500] for name, values in TABLE.items()}, seed=1)
    assert peak(lambda: recipe.apply(TABLE, seed=1)) < 2.1  # the points, and the work on one column


def test_points_are_pushed_and_concealed_with_room_for_little_more_than_the_result() -> None:
    measure = Measure(np.column_stack(list(TABLE.values())))
    shared = ReferenceKey.draw(draw_reference(measure, 1), scale_hiding(measure))
    swept: list[SweptPoints] = []

    def push() -> None:
        projection = project(measure, shared.reference.measure())
        swept.append(SweptPoints(projection, shared, [0.5], None))
        swept[0].measure(0.5)

    assert peak(push) < 1.6
    whole = shared.conceal(swept[0].projection.interpolate(0.5)).points
    np.testing.assert_allclose(swept[0].measure(0.5).points, whole, rtol=1e-12)


def test_a_body_that_was_sent_lets_its_rows_go() -> None:
    rows = np.ones((3, 2))
    body, alive = ArrayBody(rows, np.full(3, 1 / 3)), weakref.ref(rows)
    del rows
    assert alive() is not None
    body.free_rows()
    assert alive() is None
