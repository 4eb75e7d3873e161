"""Plots of results. They need matplotlib, which the extra `plot` installs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.control_characters import escape_control_characters
from wassay.errors import InvalidArgumentError, PackageMissing
from wassay.received_curves import outline
from wassay.transport import DistanceCurve
from wassay.transport.optional_packages import require_solver

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAMPLES = 201
BINS = 30


def plot_curves(curves: Mapping[str, DistanceCurve], path: str | Path | None = None) -> Figure:
    """Plot named distance curves: solved points, the curve as a line, the bracket as a band.

    If `path` is given, the plot is also saved to this file.
    """
    figure = _figure()
    axes = figure.subplots()
    for index, (label, curve) in enumerate(curves.items()):
        _draw_curve(axes, curve, _escaped_label(label), f"C{index}")
    order = next(iter(curves.values())).p
    axes.set_xlabel("s, the sellers' push")
    axes.set_ylabel(rf"$W_{order}(\eta_\mu(t_0), \eta_\nu(s))$")
    axes.set_title("Distance curves: solved points, and the certified bracket (band)")
    axes.legend()
    return _saved(figure, path)


def plot_noised(
    curves: Mapping[str, Sequence[tuple[float, float, tuple[float, float]]]],
    path: str | Path | None = None,
) -> Figure:
    """Plot squared distances with noise, given a list of (s, cost, interval) for each name.

    If `path` is given, the plot is also saved to this file.
    """
    figure = _figure()
    axes = figure.subplots()
    for label, points in curves.items():
        s, costs, intervals = zip(*points, strict=True)
        errors = np.abs(np.array(intervals).T - costs)
        axes.errorbar(
            s, costs, errors, marker="o", linestyle="none", capsize=3, label=_escaped_label(label)
        )
    axes.set_xlabel("s, the sellers' push")
    axes.set_ylabel(r"$W_2^2(\eta_\mu(t_0), \eta_\nu(s))$ with noise")
    axes.set_title("Squared distances with noise, and their intervals")
    axes.legend()
    return _saved(figure, path)


def plot_scores(groups: Mapping[str, ArrayLike], path: str | Path | None = None) -> Figure:
    """Plot a histogram of scores, with one colour for each named group of points.

    Parameters
    ----------
    groups : mapping of str to array_like
        The scores of each group, by the group's name, such as a seller's label.
    path : path, optional
        Also save the plot to this file; the suffix chooses the format.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InvalidArgumentError
        If the suffix names no format of plots.
    PackageMissing
        If matplotlib is not installed; the extra `plot` installs it.
    """
    figure = _figure()
    axes = figure.subplots()
    scores = [np.asarray(values, dtype=np.float64) for values in groups.values()]
    axes.hist(scores, bins=BINS, stacked=True, label=[_escaped_label(name) for name in groups])
    axes.axvline(0.0, color="0.4", linewidth=1)
    axes.set_xlabel("score: farther right, more like noise; farther left, more valuable")
    axes.set_ylabel("points")
    axes.set_title("Scores of points")
    axes.legend()
    return _saved(figure, path)


def plot_detection(
    inspected: NDArray[np.float64],
    recall: NDArray[np.float64],
    precision: NDArray[np.float64],
    noisy: float,
    path: str | Path | None = None,
) -> Figure:
    """Plot recall and precision against the share of the points that are inspected.

    Parameters
    ----------
    inspected, recall, precision : ndarray
        Shares of the points that are inspected, with the recall and the precision at each share.
    noisy : float
        The share of all points that are noisy.
    path : path, optional
        Also save the plot to this file.
    """
    figure = _figure()
    axes = figure.subplots()
    axes.plot(inspected, recall, color="C0", label="share of the noisy points found")
    axes.plot(inspected, precision, color="C1", label="share of noisy points among those inspected")
    perfect = np.minimum(inspected / noisy, 1.0)
    axes.plot(inspected, perfect, ":", color="C0", linewidth=1, label="found, at best")
    axes.plot([0, 1], [0, 1], "--", color="0.6", linewidth=1, label="found, in random order")
    axes.set_xlabel("share of the points inspected, the highest scores first")
    axes.set_ylabel("share")
    axes.set_title("Noisy points found by inspection")
    axes.legend()
    return _saved(figure, path)


def plot_dendrogram(
    joins: ArrayLike, names: Sequence[str], path: str | Path | None = None
) -> Figure:
    """Plot a dendrogram of sellers, or of clients of federated learning.

    Parameters
    ----------
    joins : array_like, shape (N − 1, 4)
        The linkage from `wassay.transport.dendrogram`.
    names : sequence of str
        The names of the N leaves.
    path : path, optional
        Also save the plot to this file; the suffix chooses the format.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InvalidArgumentError
        If the suffix names no format of plots.
    PackageMissing
        If matplotlib is not installed; the extra `plot` installs it.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("a dendrogram")
    from scipy.cluster import hierarchy

    figure = _figure()
    axes = figure.subplots()
    drawn = hierarchy.dendrogram(
        joins, labels=[_escaped_label(name) for name in names], no_plot=True
    )
    for across, along in zip(drawn["icoord"], drawn["dcoord"], strict=True):
        axes.plot(across, along, color="C0", linewidth=1)
    # scipy draws the leaves at 5, 15, 25, …, so put the names there.
    axes.set_xticks([10 * index + 5 for index in range(len(names))], drawn["ivl"])
    axes.set_ylabel("mean distance between two clusters")
    axes.set_title("Who is near whom")
    axes.set_ylim(bottom=0)
    return _saved(figure, path)


def _escaped_label(label: str) -> str:
    """Escape another party's label for matplotlib."""
    # Matplotlib reads text between dollar signs as a formula, and leaves labels that begin with an
    # underscore out of the legend.
    return f"{' ' if label.startswith('_') else ''}{escape_control_characters(label)}".replace(
        "$", r"\$"
    )


def _draw_curve(axes: Axes, curve: DistanceCurve, label: str, colour: str) -> None:
    drawn = outline(curve, SAMPLES)
    axes.plot(drawn.s, drawn.distance, color=colour, linewidth=1)
    solved = [curve.distance(s) for s in curve.sweep]
    axes.plot(curve.sweep, solved, "o", color=colour, markersize=4, label=label)
    if drawn.lower is not None and drawn.upper is not None:
        axes.fill_between(drawn.s, drawn.lower, drawn.upper, color=colour, alpha=0.15, linewidth=0)


def _figure() -> Figure:
    try:
        import matplotlib.figure  # noqa: F401 - raises if matplotlib is not installed
    except ModuleNotFoundError as error:
        raise PackageMissing(
            "plots need matplotlib: pip install 'wassay[plot]'", name=error.name
        ) from error
    from wassay.client.evaluation.notebook_figure import NotebookFigure

    return NotebookFigure(figsize=(8, 5), layout="constrained")


def _saved(figure: Figure, path: str | Path | None) -> Figure:
    if path is not None:
        formats = figure.canvas.get_supported_filetypes()
        suffix = Path(path).suffix.removeprefix(".").lower()
        if suffix and suffix not in formats:
            raise InvalidArgumentError(
                f"expected a file whose suffix is one of {', '.join(formats)}, received {path}: "
                "choose one of these suffixes"
            )
        figure.savefig(path, dpi=150)
    return figure
