"""Plots show the computed values."""

import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from tests.client.documents import SWEEP, result
from wassay import Measure, Normal, Reference, Result, models, plot_dendrogram, plot_scores
from wassay.client.buyer.private_push import PrivatePush
from wassay.errors import InvalidArgumentError
from wassay.received_curves import distance_curve
from wassay.report.curve_plots import SAMPLES, sampled_curve
from wassay.transport import dendrogram


def places(line: Line2D) -> NDArray[np.float64]:
    """Return the points of a line, one per row."""
    return np.asarray(line.get_xydata(), dtype=float)


@pytest.fixture
def document() -> models.Result:
    reference = Reference(2, 2, Normal(), seed=3).measure()
    random = np.random.default_rng(2)
    sellers = {"a": Measure(random.normal(size=(4, 2))), "b": Measure(random.normal(size=(5, 2)))}
    return result(Measure(random.normal(size=(6, 2))), sellers, reference, 0.4)


def test_every_curve_shows_its_solved_points(document: models.Result, tmp_path: Path) -> None:
    figure = Result(document, PrivatePush(0.4, 1.0)).plot(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    (axes,) = figure.axes
    solved = {line.get_label(): line for line in axes.lines if line.get_marker() == "o"}
    curves = {seller.label: seller.singleton for seller in document.sellers}
    for label, curve in {**curves, "all together": document.grand_coalition}.items():
        assert curve is not None
        np.testing.assert_allclose(places(solved[label])[:, 0], SWEEP)
        distances = [point.distance for point in curve.points]
        np.testing.assert_allclose(places(solved[label])[:, 1], distances)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("t0", [0.42, 0.55])
def test_pictures_and_the_report_draw_what_tables_print(order: models.Order, t0: float) -> None:
    reference = Reference(2, 2, Normal(), seed=3).measure()
    random = np.random.default_rng(2)
    shared = random.normal(size=(4, 2))
    sellers = {"a": Measure(shared), "b": Measure(random.normal(size=(5, 2)))}
    buyer = Measure(np.vstack([shared, random.normal(size=(2, 2))]))
    sweep = (0.1, 0.3, 0.35, 0.55, 0.6, 0.9)
    found = Result(
        result(buyer, sellers, reference, t0, sweep=sweep, order=order), PrivatePush(t0, 1.0)
    )
    estimates = found.estimates()
    assert estimates.grand_coalition is not None
    expected = {each.label: each.singleton.value for each in estimates.sellers}
    expected["all together"] = estimates.grand_coalition.value
    (axes,) = found.plot().figure.axes
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    lines = [line for line in axes.lines if line.get_marker() != "o"]
    for dot, line in zip(dots, lines, strict=True):
        drawn = dict(places(line).tolist())
        assert drawn[t0] / (1 - t0) == expected[str(dot.get_label())]
        assert [drawn[s] for s in sweep] == places(dot)[:, 1].tolist()
    samples = (SAMPLES - 1) * t0
    for seller in found.document.sellers:
        drawn = dict(sampled_curve(seller.singleton, order).line)
        before, after = (int(samples) / (SAMPLES - 1), (int(samples) + 1) / (SAMPLES - 1))
        curve = distance_curve(seller.singleton, order)
        assert [drawn[before], drawn[after]] == [curve.distance(before), curve.distance(after)]
        assert curve.distance(t0) / (1 - t0) == expected[seller.label]


@pytest.mark.parametrize("order", [1, 2])
def test_the_line_of_two_lone_points_is_their_distance_from_the_data_to_the_reference(
    order: models.Order,
) -> None:
    buyer, seller = np.array([4.0, -1.0]), np.array([1.0, 2.0])
    reference = Reference(1, 2, Normal(), seed=3).measure()
    gamma, t0 = reference.points[0], 0.4
    document = result(
        Measure([buyer]), {"a": Measure([seller])}, reference, t0, sweep=SWEEP, order=order
    )
    pushed = (1 - t0) * buyer + t0 * gamma
    (axes,) = Result(document, PrivatePush(t0, 1.0)).plot().figure.axes
    (in_the_plot, *_) = (places(line) for line in axes.lines if line.get_marker() != "o")
    sampled = sampled_curve(document.sellers[0].singleton, order)
    for line, steps in ((in_the_plot, 200), (np.array(sampled.line), SAMPLES - 1)):
        np.testing.assert_allclose(line[:, 0], np.arange(steps + 1) / steps, atol=1e-15)
        s = line[:, :1]
        true = np.linalg.norm((1 - s) * seller + s * gamma - pushed, axis=1)
        np.testing.assert_allclose(line[:, 1], true, rtol=1e-9)
    lower, upper = np.array(sampled.lower), np.array(sampled.upper)
    assert (lower[:, 1] <= np.array(sampled.line)[:, 1]).all()
    assert (upper[:, 1] >= np.array(sampled.line)[:, 1]).all()


@pytest.mark.parametrize("label", ["b", "all together", r"$\frac{$", "_hidden"])
def test_no_label_hides_a_curve_or_breaks_the_picture(
    document: models.Result, tmp_path: Path, label: str
) -> None:
    first, second = document.sellers
    sellers = [first.model_copy(update={"label": label}), second]
    asked = document.model_copy(update={"sellers": sellers})
    figure = Result(asked, PrivatePush(0.4, 1.0)).plot(tmp_path / "curves.svg")
    (axes,) = figure.axes
    shown = axes.get_legend()
    assert shown is not None
    legend = [text.get_text().replace(r"\$", "$").strip() for text in shown.get_texts()]
    expected = {name.removesuffix(" (con_a)").removesuffix(" (con_b)") for name in legend}
    assert len(set(legend)) == len(legend) == 3
    assert expected == {label, "b", "all together"}


def test_the_histogram_counts_every_point_of_every_group(tmp_path: Path) -> None:
    figure = plot_scores({"good": [-1.0, -2.0, -1.5], "noise": [4.0]}, tmp_path / "scores.svg")
    assert "<svg" in (tmp_path / "scores.svg").read_text()
    (axes,) = figure.axes
    heights = sum(bar.get_height() for container in axes.containers for bar in container)
    assert heights == 4
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["good", "noise"]


def test_without_matplotlib_the_error_says_what_to_install(
    document: models.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'wassay\[plot\]'"):
        Result(document, PrivatePush(0.4, 1.0)).plot()
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'wassay\[plot\]'"):
        plot_scores({"all": [1.0]})


def test_a_plot_needs_a_known_file_suffix(document: models.Result, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"suffix is one of .* png.*curve\.foo"):
        Result(document, PrivatePush(0.4, 1.0)).plot(tmp_path / "curve.foo")
    assert list(tmp_path.iterdir()) == []


def test_a_dendrogram_joins_at_the_mean_distances_between_groups(tmp_path: Path) -> None:
    apart = [[0.0, 8.0, 1.0], [8.0, 0.0, 10.0], [1.0, 10.0, 0.0]]
    figure = plot_dendrogram(dendrogram(apart), ["near", "far", "nearer"], tmp_path / "tree.png")
    (axes,) = figure.axes
    assert sorted(places(line)[:, 1].max() for line in axes.lines) == [1.0, 9.0]
    assert {text.get_text() for text in axes.get_xticklabels()} == {"near", "far", "nearer"}
