"""Estimate a buyer's distances to two sellers, without t, from the curve through three s."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Cell, Row
from benchmarks.paper.systems import direct, normal
from wassay.transport import (
    BarycentricProjection,
    Measure,
    PointCost,
    SellerCosts,
    StackedCost,
    estimate,
    evaluate,
    project,
    solve,
    with_labels,
)

TITLE = "Three sources with unknown t (Theorem 2)"
ABOUT = """
t0 = 0.3, s ∈ {0.1, 0.35, 0.6}, σ(γ) = 3: two sellers' costs are stacked, three distances solved,
and one quadratic fitted. *Worst fit* is the largest relative error of the fitted curve against
solves at nineteen other s; the paper says that the two lines overlap and prints no numbers; here
they overlap too. It also says that at s = t0 the curve meets the distance of the raw data for
synthetic data, and has "the minimal gap" to it for CIFAR-10. The first is true to 1.0 %. The
second, if it means that the gap is small, is not: with k = 150 the curve is 193 % above it there,
85.8 against 29.3, though lowest nearby. Dimension (10) and k (500, and 150 for images) are ours,
and we read the paper's x³ and x² of the two sellers as indices. CIFAR-10 images carry labels as X
= [x; m_y; σ_y], as in the paper. The last column is the certified interval that Wassay prints for
the same three solves; with one reference point its width is zero.

The paper calls s ∈ {¼, ½, ¾} enough. In ten dimensions with σ(γ) = 3 (three draws, by hand) the
curve through them is within 0.1 % of a solve at t0 = 0.3 and 0.5. At t0 = 0.1, outside those s,
it is 4 to 7 % too high for 100 against 100 points of one law and k = 100, and 2 to 3 % for 80
against 200 and k = 80; at t0 = 0.9 it is 2 % too low for the synthetic data.
"""

T0, SWEEP = 0.3, (0.1, 0.35, 0.6)


def run(inputs: Inputs) -> list[Row]:
    """Fit the curve through three s, and compare it with distances solved at other s."""
    rng = np.random.default_rng(11)
    synthetic = (
        normal(rng, 500, 10, 20, 30),
        [normal(rng, 250, 10, 12, 10), normal(rng, 250, 10, 3, 1)],
    )
    images, labels = inputs.labelled_images("CIFAR10")
    order = rng.permutation(len(images))
    parts = [order[:150], order[150:250], order[250:350]]
    labelled = [with_labels(Measure(images[part]), labels[part]) for part in parts]
    cases = {"synthetic": synthetic, "CIFAR10 with labels": (labelled[0], labelled[1:])}
    rows: list[Row] = []
    figure = Figure(figsize=(14, 3.4), layout="constrained")
    panels = iter(figure.subplots(1, 4))
    for case, (buyer, sellers) in cases.items():
        for size in (1, 500 if case == "synthetic" else 150):
            reference = normal(rng, size, buyer.dimension, std=3.0)
            panel = next(panels)
            panel.set(xlabel="s", ylabel="W(η_μ(t0), η_ν(s)) / (1 − t0)")
            panel.set_title(f"{case}, k = {size}", fontsize=9)
            found = _row(buyer, sellers, reference, inputs, panel)
            rows.append({"case": case, "k": size, **found})
    figure.savefig(inputs.out / "three_sources.png", dpi=80)
    return rows


def _row(
    buyer: Measure, sellers: list[Measure], reference: Measure, inputs: Inputs, panel: Axes
) -> dict[str, Cell]:
    projections = [project(seller, reference) for seller in sellers]
    own = project(buyer, reference)
    eta = own.interpolate(T0)
    costs = [
        SellerCosts.from_measures(str(i), {s: p.interpolate(s) for s in SWEEP}, eta)
        for i, p in enumerate(projections)
    ]
    curve = evaluate(eta.weights, costs, SWEEP).grand_coalition
    weights = np.array([seller.size for seller in sellers]) / sum(s.size for s in sellers)
    spread = float(np.sqrt(weights @ [p.spread**2 for p in projections]))
    found = estimate(curve, T0, buyer_spread=own.spread, seller_spread=spread)
    pushes = np.linspace(0.05, 0.95, 3 if inputs.quick else 19).tolist()
    solved = np.array([_stacked(projections, eta, s) for s in pushes])
    fitted = np.array([curve.distance(s) for s in pushes])
    aggregate = Measure(np.concatenate([seller.points for seller in sellers]))
    truth = direct(buyer, aggregate)
    panel.plot(pushes, solved / (1 - T0), "o", markersize=4, label="solved")
    panel.plot(pushes, fitted / (1 - T0), "k-", linewidth=1, label="fitted at three s")
    panel.axhline(truth, linestyle="--", color="C2", label="W of the raw data")
    panel.axvline(T0, linestyle=":", color="grey", label="t0")
    panel.legend(fontsize=7)
    low, high = found.interval or (0.0, float("inf"))
    return {
        "Direct": truth,
        "fitted at t0": found.value,
        "error %": 100 * (found.value / truth - 1),
        "worst fit %": 100 * float(np.abs(fitted / solved - 1).max()),
        "interval": f"{low:.5g} … {high:.5g}",
    }


def _stacked(projections: list[BarycentricProjection], eta: Measure, s: float) -> float:
    pushed = [projection.interpolate(s) for projection in projections]
    weights = np.concatenate([each.weights * each.size for each in pushed])
    cost = StackedCost([PointCost(each, eta) for each in pushed])
    return float(max(solve(cost, weights / weights.sum(), eta.weights).cost, 0.0) ** 0.5)
