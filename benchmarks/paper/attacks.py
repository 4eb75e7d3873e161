"""Plot FedWad's distributional attack and the inversion of TriangleWad."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, fedwad, normal
from wassay.transport import Measure, interpolate, project
from wassay.transport.inversion import invert_push

TITLE = "Attacks, as pictures"
ABOUT = """
100 against 100 digits of MNIST. Above: FedWad, thirty rounds; a party that holds μ, ξ and the two
distances learns ν. The paper's attack descends on (W(ν̂, μ) − W(μ, ν))² + (W(ν̂, ξ) − W(ξ, ν))²
from noise, and is said to end at W(ν̂, ν) ≃ 0 once both conditions hold. Here they hold to 3e−13
after 600 steps (*conditions missed by*, the larger relative error), and the distance of ν̂ from ν
is still 0.727, more than that of ξ itself (0.618): many measures have these two distances.
*Extrapolated* needs no descent: if μ, ξ and ν were on one geodesic, extrapolating from μ through
ξ would give ν; a distance of 0.236 remains. So FedWad does disclose the other side's images,
blended in ξ and sharp when extrapolated; the paper's attack ends at the blend in ξ, with noise.
Below: TriangleWad with γ of 100 points of N(0, 1), t = 1/2. The paper sees nothing in η_μ, nor in
x̂ = (η − tγ)/(1 − t) (*unordered*); with this γ, digits are legible in both. That attack uses γ
in the wrong order; *inverted* is the exact attack by a party who knows γ and t. *Left over* is
the distance of what was reconstructed from the truth, as a share of the distance of the two
sides.
"""

SIZE, STEPS, SHOWN = 100, 600, 8


def run(inputs: Inputs) -> list[Row]:
    """Attack both methods over the same images."""
    images = inputs.images("MNIST")
    rng = np.random.default_rng(4)
    order = rng.permutation(len(images))
    mu, nu = Measure(images[order[:SIZE]]), Measure(images[order[SIZE : 2 * SIZE]])
    apart = direct(mu, nu)
    rounds, steps = (3, 20) if inputs.quick else (30, STEPS)
    xi = fedwad(mu, nu, normal(rng, SIZE, mu.dimension), rounds).xi
    descended = _descend(mu, xi, apart, direct(xi, nu), steps, rng)
    share = direct(mu, xi) / apart
    images_in_xi = project(mu, xi).images
    extrapolated = mu.points + (images_in_xi - mu.points) / share
    reference = normal(rng, SIZE, mu.dimension)
    eta = interpolate(mu, reference, 0.5)
    unordered = (eta.points - 0.5 * reference.points) / 0.5
    inverted = invert_push(eta, reference, 0.5).points
    attacks = {
        "FedWad": {"ξ": xi.points, "descended": descended, "extrapolated": extrapolated},
        "TriangleWad": {"η_μ": eta.points, "unordered": unordered, "inverted": inverted},
    }
    truth = {"FedWad": nu, "TriangleWad": mu}
    missed = max(
        abs(direct(Measure(descended), mu) / apart - 1),
        abs(direct(Measure(descended), xi) / direct(xi, nu) - 1),
    )
    rows: list[Row] = []
    for system, found in attacks.items():
        for what, points in found.items():
            left = direct(Measure(points), truth[system]) / apart
            rows.append(
                {
                    "system": system,
                    "what is seen or computed": what,
                    "left over": left,
                    "conditions missed by": missed if what == "descended" else None,
                }
            )
    _draw(inputs, attacks, truth)
    return rows


def _descend(
    mu: Measure, xi: Measure, to_mu: float, to_xi: float, steps: int, rng: np.random.Generator
) -> Points:
    """Run the paper's attack: gradient descent on the two squared errors of distances."""
    points = rng.normal(size=mu.points.shape)
    for step in range(steps):
        guess = Measure(points)
        move = np.zeros_like(points)
        for target, wanted in ((mu, to_mu), (xi, to_xi)):
            away = guess.points - project(guess, target).images
            distance = float(np.sqrt(np.square(away).sum(axis=1).mean()))
            move += (1 - wanted / distance) * away
        points = points - (0.5 - 0.4 * step / steps) * move
    return points


def _draw(inputs: Inputs, attacks: dict[str, dict[str, Points]], truth: dict[str, Measure]) -> None:
    figure = Figure(figsize=(7, 7))
    lines = [
        (f"{system}: {what}", points)
        for system, found in attacks.items()
        for what, points in (("truth", truth[system].points), *found.items())
    ]
    edges = {"left": 0.15, "right": 0.99, "top": 0.99, "bottom": 0.01}
    axes = figure.subplots(len(lines), 1, gridspec_kw=edges)
    for (label, points), panel in zip(lines, axes, strict=True):
        kept = points[_like(points, truth[label.split(":")[0]].points)]
        panel.imshow(np.hstack(list(kept.reshape(-1, 28, 28))), cmap="gray", vmin=-1.5, vmax=1.5)
        panel.set_ylabel(label.replace(": ", "\n"), rotation=0, ha="right", va="center", fontsize=8)
        panel.set_xticks([])
        panel.set_yticks([])
    drawn = BytesIO()
    figure.savefig(drawn, dpi=80)
    Image.open(drawn).convert("L").save(inputs.out / "attacks.png", optimize=True)


def _like(points: Points, truth: Points) -> list[int]:
    """Return the rows matched with the first records by the best matching of all."""
    images = project(Measure(truth), Measure(points)).images
    return [int(np.square(points - image).sum(axis=1).argmin()) for image in images[:SHOWN]]
