"""Plot FedWad's distributional attack and the inversion of TriangleWad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, fedwad, normal
from wassay.transport import FedWadParty, Measure, interpolate, project
from wassay.transport.inversion import invert_push, reflect

TITLE = "Attacks, as pictures"
ABOUT = """
100 images against 100 others of the same data set; the picture shows MNIST's. *Left over* is the
distance of what was reconstructed from the truth, as a share of the distance of the two sides.

FedWad runs with equal sizes, t = 1/2, ξ⁽⁰⁾ ~ N(0, 1). The attacker holds μ and the shared ξ, and
wants ν. Under these conditions ξ converges to the pointwise midpoint of a matching of the two
sides, so the *reflection* 2 ξ̄ − μ, where ξ̄ are the images of μ in ξ, is ν. It needs one
matching and no distance; after 30 rounds it misses ν by rounding alone, and after ten by half a
per cent. Both conditions matter (MNIST, 30 rounds, by hand). With t = 0.3 or 0.7 in every step,
the one that makes ξ too, three draws, the reflection leaves 0.42 to 0.46, and at most 0.0002 if t
is known and used, 2 being 1/t then; with t drawn from [0.2, 0.8] each round, 0.01 to 0.23. At 80
: 200, 100 : 200 and the reverse, two draws, it leaves 0.21 to 0.69.

The paper's attack descends on (W(ν̂, μ) − W(μ, ν))² + (W(ν̂, ξ) − W(ξ, ν))² and is said to end at
W(ν̂, ν) ≃ 0. From noise it does not: both conditions hold (*conditions missed by*, the larger
relative error), and ν̂ is still 0.7 away from ν (0.74 and 0.84 in two other draws, by hand). The
paper writes the second distance as W(ν, μ) − W(ξ, μ) too, which it is if ξ is on a geodesic from
μ to ν. FedWad's ξ is on none after 30 rounds: its two distances sum to 1.25 to 1.31 W(μ, ν)
(three draws, by hand). Descended *by the difference*, ν̂ is 0.28 away (0.29 and 0.35 in two other
draws, by hand). With the exact midpoint of μ and ν for ξ (*from noise, exact midpoint*), ν is the
only solution, since geodesics do not branch, and the descent comes within 11 % of it (7 % after
1,500 steps, by hand). The start decides, too: from points a fifth or a half beyond ξ, on the
lines from μ through ξ̄, the first descent ends within 8 % of ν.

Whoever reads messages and knows t need not wait for ξ to converge. Each share is an interpolation
of a party's records with the ξ before it, so the two together give all of the records (*first
share, inverted*): ν, from the first share that its holder sends, and ξ⁽⁰⁾; at unequal sizes as
well (80 : 200, 100 : 200 and the reverse, by hand). The paper keeps t private. With the wrong t
one step of this leaves 0.43 (0.4 taken for 0.5). So the paper's conclusion about FedWad is right:
whoever knows t can read all records, from the first round on, and at equal sizes with t = 1/2,
which we took, both sides do from ξ.

TriangleWad has γ of 100 points of N(0, 1), t = 1/2. The paper finds nothing to see in η_μ, nor in
x̂ = (η − tγ)/(1 − t) (*unordered*). With this γ the digits in our picture can be made out in
both. That attack leaves γ in the wrong order; *inverted* is the exact attack of a receiver who
knows γ and t.
"""

SIZE, STEPS, SHOWN = 100, 600, 8
ROUNDS = (3, 10, 30)
STARTS = {"ξ": 1.0, "a fifth beyond ξ": 1.2, "half beyond ξ": 1.5}
"""Where descents start: the share of the way from μ to the images of μ in ξ."""
PICTURED = "MNIST"


@dataclass(frozen=True, eq=False)
class Attack:
    """The points that an attack computes, and by how much they miss the distances it aims at."""

    points: Points
    missed: float | None = None


def run(inputs: Inputs) -> list[Row]:
    """Attack both methods over the same images, for each data set at hand."""
    rows: list[Row] = []
    for data in inputs.image_sets(("MNIST", "CIFAR10", "Fashion")):
        images = inputs.images(data)
        rng = np.random.default_rng(4)
        order = rng.permutation(len(images))
        mu, nu = Measure(images[order[:SIZE]]), Measure(images[order[SIZE : 2 * SIZE]])
        start = normal(rng, SIZE, mu.dimension)
        xis = {rounds: fedwad(mu, nu, start, rounds).xi for rounds in ROUNDS}
        share = FedWadParty(nu).share(start).measure
        on_fedwad = {"first share, inverted": Attack(invert_push(share, start, 0.5).points)}
        on_fedwad |= _reflections(mu, xis)
        if data == PICTURED:
            on_fedwad |= _descents(mu, nu, xis[ROUNDS[-1]], rng, 20 if inputs.quick else STEPS)
        attacks = {"FedWad": on_fedwad, "TriangleWad": _on_triangle(mu, rng)}
        truth, apart = {"FedWad": nu, "TriangleWad": mu}, direct(mu, nu)
        rows += [
            {
                "data": data,
                "system": system,
                "what is seen or computed": what,
                "left over": direct(Measure(attack.points), truth[system]) / apart,
                "conditions missed by": attack.missed,
            }
            for system, results in attacks.items()
            for what, attack in results.items()
        ]
        if data == PICTURED:
            _draw(inputs, attacks, truth)
    return rows


def _reflections(mu: Measure, xis: Mapping[int, Measure]) -> dict[str, Attack]:
    """Reflect μ in the ξ that FedWad has after each number of rounds."""
    return {"ξ": Attack(xis[ROUNDS[-1]].points)} | {
        f"reflected, {rounds} rounds": Attack(reflect(mu, xi).points) for rounds, xi in xis.items()
    }


def _descents(
    mu: Measure, nu: Measure, xi: Measure, rng: np.random.Generator, steps: int
) -> dict[str, Attack]:
    """Run the paper's descent from noise, and from points on the lines that join μ and ξ."""
    moved = project(mu, xi).images - mu.points
    starts = {"noise": rng.normal(size=mu.points.shape)} | {
        where: mu.points + share * moved for where, share in STARTS.items()
    }
    to_mu, to_xi = direct(mu, nu), direct(xi, nu)
    attacks = {}
    for where, start in starts.items():
        noise = 0.01 * rng.normal(size=start.shape)  # because at ξ itself the gradient is zero
        attacks[f"descended from {where}"] = _descended(
            start + noise, {mu: to_mu, xi: to_xi}, steps
        )
    middle = project(mu, nu).interpolate(0.5)
    others = {
        "by the difference": {mu: to_mu, xi: to_mu - direct(mu, xi)},
        "exact midpoint": {mu: to_mu, middle: to_mu / 2},
    }
    for what, wanted in others.items():
        attacks[f"descended from noise, {what}"] = _descended(starts["noise"], wanted, steps)
    return attacks


def _descended(start: Points, wanted: Mapping[Measure, float], steps: int) -> Attack:
    """Run the descent, and compute the larger relative error of the distances that it aims at."""
    found = _descend(start, wanted, steps)
    errors = [
        abs(direct(Measure(found), target) / distance - 1) for target, distance in wanted.items()
    ]
    return Attack(found, max(errors))


def _on_triangle(mu: Measure, rng: np.random.Generator) -> dict[str, Attack]:
    """Attack η_μ: take it as it is, subtract γ without knowing the order, and invert the push."""
    reference = normal(rng, SIZE, mu.dimension)
    eta = interpolate(mu, reference, 0.5)
    return {
        "η_μ": Attack(eta.points),
        "unordered": Attack((eta.points - 0.5 * reference.points) / 0.5),
        "inverted": Attack(invert_push(eta, reference, 0.5).points),
    }


def _descend(points: Points, wanted: Mapping[Measure, float], steps: int) -> Points:
    """Run the paper's attack: gradient descent on the squared errors of distances."""
    for step in range(steps):
        guess = Measure(points)
        move = np.zeros_like(points)
        for target, distance in wanted.items():
            away = guess.points - project(guess, target).images
            move += (1 - distance / float(np.sqrt(np.square(away).sum(axis=1).mean()))) * away
        points = points - (0.5 - 0.4 * step / steps) * move
    return points


def _draw(inputs: Inputs, attacks: dict[str, dict[str, Attack]], truth: dict[str, Measure]) -> None:
    figure = Figure(figsize=(7.5, 10))
    lines = [
        (f"{system}: {what}", points)
        for system, results in attacks.items()
        for what, points in (
            ("truth", truth[system].points),
            *((what, attack.points) for what, attack in results.items()),
        )
    ]
    edges = {"left": 0.31, "right": 0.99, "top": 0.99, "bottom": 0.01}
    axes = figure.subplots(len(lines), 1, gridspec_kw=edges)
    for (label, points), panel in zip(lines, axes, strict=True):
        kept = points[_like(points, truth[label.split(":")[0]].points)]
        panel.imshow(np.hstack(list(kept.reshape(-1, 28, 28))), cmap="gray", vmin=-1.5, vmax=1.5)
        panel.set_ylabel(label.replace(": ", "\n"), rotation=0, ha="right", va="center", fontsize=8)
        panel.set_xticks([])
        panel.set_yticks([])
    drawn = BytesIO()
    figure.savefig(drawn, dpi=72)
    Image.open(drawn).convert("L").save(inputs.out / "attacks.png", optimize=True)


def _like(points: Points, truth: Points) -> list[int]:
    """Return the rows that an optimal matching of all rows gives to the first `SHOWN` records."""
    images = project(Measure(truth), Measure(points)).images
    return [int(np.square(points - image).sum(axis=1).argmin()) for image in images[:SHOWN]]
