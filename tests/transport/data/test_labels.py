import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from tests.transport.samples import gaussian, random_weights
from wassay.transport import (
    Classes,
    Measure,
    SellerCosts,
    TransportError,
    cost_block,
    estimate,
    evaluate,
    gelbrich_lower_bound,
    labelled_cost,
    project,
    solve,
    wasserstein,
    with_labels,
)
from wassay.transport.data.labels import Covariance

SWEEP = (0.25, 0.5, 0.75)


def blobs(
    rng: np.random.Generator, size: int, dimension: int = 2, classes: int = 3, stretch: float = 1.0
) -> tuple[Measure, NDArray[np.int64]]:
    """Draw points of classes with different centres and covariances."""
    labels = rng.integers(classes, size=size)
    labels[:classes] = range(classes)
    mixing = rng.normal(size=(classes, dimension, dimension)) * stretch
    noise = rng.normal(size=(size, dimension))
    points = 5.0 * labels[:, None] + np.einsum("nij,nj->ni", mixing[labels], noise)
    return Measure(points, random_weights(rng, size)), labels


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_points_carry_the_mean_and_the_root_of_their_class_covariance(
    covariance: Covariance,
) -> None:
    measure, labels = blobs(np.random.default_rng(0), 40)
    labelled = with_labels(measure, labels, covariance)
    for label in range(3):
        own = labels == label
        expected = np.cov(measure.points[own].T, aweights=measure.weights[own], ddof=0)
        mean = np.average(measure.points[own], axis=0, weights=measure.weights[own])
        row = labelled.points[own][0]
        np.testing.assert_allclose(row[2:4], mean)
        if covariance == "diagonal":
            np.testing.assert_allclose(row[4:] ** 2, expected.diagonal())
        else:
            root = row[4:].reshape(2, 2)
            np.testing.assert_allclose(root @ root, expected, atol=1e-12)
            np.testing.assert_allclose(root, root.T, atol=1e-12)


def test_names_of_classes_do_not_matter() -> None:
    measure, labels = blobs(np.random.default_rng(1), 30)
    names = np.array(["zebra", "ant", "mole"])
    np.testing.assert_allclose(
        with_labels(measure, names[labels]).points, with_labels(measure, labels).points
    )


def test_with_diagonal_covariances_the_labelled_vectors_are_exact() -> None:
    rng = np.random.default_rng(2)
    (mu, y), (nu, z) = blobs(rng, 30), blobs(rng, 25)
    cost = labelled_cost(mu, Classes.of(mu, y), nu, Classes.of(nu, z))
    vectors = cost_block(with_labels(mu, y).points, with_labels(nu, z).points)
    np.testing.assert_allclose(cost, vectors, rtol=1e-9)


def test_with_full_covariances_class_distances_are_those_of_gelbrich_and_vectors_bound_them() -> (
    None
):
    rng = np.random.default_rng(3)
    (mu, y), (nu, z) = blobs(rng, 30), blobs(rng, 25)
    cost = labelled_cost(mu, Classes.of(mu, y, "full"), nu, Classes.of(nu, z, "full"))
    between = cost - cost_block(mu.points, nu.points)
    for i, j in ((0, 0), (7, 3), (20, 24)):
        moments = []
        for measure, labels, label in ((mu, y, y[i]), (nu, z, z[j])):
            own = labels == label
            weights = measure.weights[own]
            mean = np.average(measure.points[own], axis=0, weights=weights)
            moments.append((mean, np.cov(measure.points[own].T, aweights=weights, ddof=0)))
        (m, sigma), (n, tau) = moments
        expected = gelbrich_lower_bound(float(np.linalg.norm(m - n)), sigma, tau)
        assert between[i, j] == pytest.approx(expected**2)
    vectors = cost_block(with_labels(mu, y, "full").points, with_labels(nu, z, "full").points)
    assert (cost <= vectors * (1 + 1e-9)).all()
    assert (cost < 0.999 * vectors).any()


def test_costs_of_labels_survive_the_protocol_exactly() -> None:
    """Distances of classes, computed after a push to one reference point, give OTDD at t0."""
    rng = np.random.default_rng(4)
    (mu, y), (nu, z) = blobs(rng, 24), blobs(rng, 30)
    reference, t0 = gaussian(rng, 1, 2), 0.4
    pushed = project(mu, reference).interpolate(t0)
    projection = project(nu, reference)
    blocks = {}
    for s in SWEEP:
        own = projection.interpolate(s)
        blocks[s] = labelled_cost(
            own, Classes.of(own, z, "full"), pushed, Classes.of(pushed, y, "full")
        )
    answer = SellerCosts.from_blocks("seller", blocks, nu.weights, pushed)
    curve = evaluate(pushed.weights, [answer], SWEEP).grand_coalition
    found = estimate(curve, t0, buyer_spread=0.0, seller_spread=0.0)
    raw = labelled_cost(nu, Classes.of(nu, z, "full"), mu, Classes.of(mu, y, "full"))
    truth = SellerCosts.from_blocks("raw", dict.fromkeys(SWEEP, raw), nu.weights)
    exact = evaluate(mu.weights, [truth], SWEEP).grand_coalition.points[0].cost ** 0.5
    assert found.value == pytest.approx(exact, rel=1e-9)
    assert found.interval is not None
    assert found.interval[0] - 1e-9 <= exact <= found.interval[1] + 1e-9


def test_labelled_vectors_go_through_the_protocol_as_any_points_do() -> None:
    rng = np.random.default_rng(5)
    (mu, y), (nu, z) = blobs(rng, 24), blobs(rng, 30)
    one, other = with_labels(mu, y), with_labels(nu, z)
    reference, t = gaussian(rng, 1, 6), 0.5
    mine, yours = (project(each, reference).interpolate(t) for each in (one, other))
    assert wasserstein(mine, yours).value / (1 - t) == pytest.approx(wasserstein(one, other).value)


def test_labels_and_points_have_to_fit() -> None:
    measure, labels = blobs(np.random.default_rng(6), 12)
    with pytest.raises(TransportError, match="expected 12 labels"):
        with_labels(measure, labels[:-1])
    with pytest.raises(TransportError, match="received class 1, whose points have weight 0"):
        with_labels(Measure([[0.0], [1.0]], [1.0, 0.0]), [0, 1])
    classes = Classes.of(measure, labels), Classes.of(measure, labels, "full")
    with pytest.raises(TransportError, match="both covariances diagonal or both full"):
        labelled_cost(measure, classes[0], measure, classes[1])


MISSING = [
    [0.0, np.nan, 1.0],
    ["a", None, "b"],
    ["a", float("nan"), "b"],
    ["a", pd.NA, "b"],
    [1, None, 2],
    np.array(["a", np.nan, "b"], dtype=object),
    np.array([0.0, np.nan, 1.0], dtype=np.float32),
    np.array(["2026-01-01", "NaT", "2026-01-02"], dtype="datetime64[D]"),
    [pd.Timestamp("2026-01-01"), pd.NaT, pd.Timestamp("2026-01-02")],
    [Decimal(1), Decimal("NaN"), Decimal(2)],
    pd.Series(["a", None, "b"]),
    pd.Series(["a", None, "b"], dtype="category"),
    pd.Series([1, None, 2], dtype="Int64"),
    pd.array(["a", None, "b"], dtype="string"),
    pa.array(["a", None, "b"]),
    pa.chunked_array([[1, None], [2]]),
    np.ma.array([0, -9999, 1], mask=[False, True, False]),
    ["a", np.ma.masked, "b"],
]


@pytest.mark.parametrize("labels", MISSING, ids=lambda labels: repr(labels)[:30])
def test_a_missing_label_is_no_class_of_its_own(labels: Any) -> None:
    measure = Measure([[0.0], [1.0], [2.0]])
    for use in (with_labels, Classes.of):
        with pytest.raises(TransportError, match=r"^expected .*label.* at index 1"):
            use(measure, labels)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b", "a"],
        [0, 1, 0],
        (False, True, False),
        [0, 1.5, 0.0],
        np.array([b"a", b"b", b"a"]),
        np.array(["a", "b", "a"], dtype=object),
        pd.Series(["a", "b", "a"], dtype="category"),
        pd.Series([0, 1, 0], dtype="Int64"),
        pa.array(["a", "b", "a"]),
        np.ma.array([0, 1, 0], mask=False),
        ["nan", "None", "nan"],
    ],
    ids=lambda labels: repr(labels)[:30],
)
def test_labels_of_any_one_type_are_classes(labels: Any) -> None:
    index = Classes.of(Measure([[0.0], [1.0], [2.0]]), labels).index
    assert index[0] == index[2] != index[1]


def test_numbers_and_texts_are_not_taken_for_each_other() -> None:
    with pytest.raises(TransportError, match="one sortable type, received int, str"):
        with_labels(Measure([[0.0], [1.0]]), [1, "1"])  # type: ignore[arg-type]


@pytest.mark.parametrize("angle", [0.0, 1.1, 2.38, 4.0])
def test_a_class_of_a_line_meets_one_of_the_plane_at_its_exact_distance(angle: float) -> None:
    """(±1, 0) against (±1, ±1): costs of points 1 and 5, mean 1; covariances add 1."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    line = Measure(np.array([[1.0, 0], [-1, 0]]) @ turn)
    square = Measure(np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]) @ turn)
    names = [0, 0], [0, 0, 0, 0]
    classes = [
        Classes.of(each, own, "full") for each, own in zip((line, square), names, strict=True)
    ]
    cost = labelled_cost(line, classes[0], square, classes[1])
    assert solve(cost, line.weights, square.weights).cost == pytest.approx(2, rel=1e-14)
    line_vectors, square_vectors = (
        with_labels(each, own, "full") for each, own in zip((line, square), names, strict=True)
    )
    assert wasserstein(line_vectors, square_vectors).value ** 2 == pytest.approx(2, rel=1e-14)


@pytest.mark.parametrize("dimension", [2, 5, 12])
def test_the_root_of_few_points_in_many_dimensions_is_zero_beside_their_span(
    dimension: int,
) -> None:
    rng = np.random.default_rng(dimension)
    directions = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
    flat = Measure(np.outer([1.0, -1.0], directions[:, 0]))
    root = Classes.of(flat, [0, 0], "full").roots[0]
    assert np.abs(root - np.outer(directions[:, 0], directions[:, 0])).max() < 1e-14
    assert gelbrich_lower_bound(
        0.0, np.outer(directions[:, 0], directions[:, 0]), np.eye(dimension)
    ) == pytest.approx(math.sqrt(dimension - 1), rel=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_an_interval_holds_the_truth_where_few_points_of_a_class_meet_many(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimension = int(rng.integers(2, 6))
    few, many = (Measure(rng.normal(size=(size, dimension))) for size in (dimension, 3 * dimension))
    reference, t0 = gaussian(rng, 1, dimension), 0.5
    pushed = project(few, reference).interpolate(t0)
    projection = project(many, reference)
    blocks = {s: of_one_class(projection.interpolate(s), pushed) for s in SWEEP}
    answer = SellerCosts.from_blocks("seller", blocks, many.weights, pushed)
    curve = evaluate(pushed.weights, [answer], SWEEP).grand_coalition
    found = estimate(curve, t0, buyer_spread=0.0, seller_spread=0.0)
    truth = solve(of_one_class(many, few), many.weights, few.weights).cost ** 0.5
    assert found.interval is not None
    assert found.interval[0] <= truth <= found.interval[1]


def of_one_class(rows: Measure, columns: Measure) -> NDArray[np.float64]:
    """Return OTDD costs of measures that consist of one class each."""
    classes = [Classes.of(each, np.zeros(each.size), "full") for each in (rows, columns)]
    return labelled_cost(rows, classes[0], columns, classes[1])
