"""The four systems that are compared, each written from its equations.

All systems use the same exact solver, so that ratios of times compare methods, not implementations.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ParamSpec, TypeVar

import numpy as np

from wassay.transport import (
    Isometry,
    Measure,
    Normal,
    Reference,
    interpolate,
    interpolate_exact,
    project,
    wasserstein,
)


def direct(mu: Measure, nu: Measure) -> float:
    """DirectWad: the distance of the raw data."""
    return wasserstein(mu, nu).value


Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def timed(
    work: Callable[Arguments, Found], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> tuple[Found, float]:
    """Return a function's result and its processor seconds, which other load does not change."""
    start = time.process_time()
    found = work(*args, **kwargs)
    return found, time.process_time() - start


def load() -> None:
    """Import and compile what the systems run, so that no measured time includes it."""
    rng = np.random.default_rng(0)
    for size in (10, 600):  # small problems are solved without compiled code
        points = normal(rng, size, 2)
        fedwad(points, normal(rng, size, 2), points, rounds=1)


@dataclass(frozen=True, eq=False)
class FedWad:
    """The result of FedWad's rounds.

    Attributes
    ----------
    distance : float
        The sum of the four distances along μ, η_μ, ξ, η_ν, ν (paper eq. 6).
    xi : Measure
        The last ξ, which both parties and the server have.
    """

    distance: float
    xi: Measure


def fedwad(
    mu: Measure,
    nu: Measure,
    xi: Measure,
    rounds: int,
    *,
    barycentric: bool = True,
) -> FedWad:
    """Run FedWad from ξ⁰: push μ and ν half-way to ξ, then take the middle of both as the new ξ."""
    # The exact form keeps every pair of a plan, so measures grow until plans are one to one.
    push = interpolate if barycentric else interpolate_exact
    eta_mu = eta_nu = xi
    for _ in range(rounds):
        eta_mu, eta_nu = push(mu, xi, 0.5), push(nu, xi, 0.5)
        # Keep the points of the larger side, which is nearer to the paper's numbers.
        small, large = sorted((eta_mu, eta_nu), key=lambda each: each.size)
        xi = push(large, small, 0.5)
    path = (mu, eta_mu, xi, eta_nu, nu)
    return FedWad(sum(direct(*step) for step in pairwise(path)), xi)


def triangle(
    mu: Measure, nu: Measure, reference: Measure, t: float = 0.5, *, barycentric: bool = True
) -> float:
    """TriangleWad as published: both pushed by t, and their distance over 1 − t (paper eq. 7)."""
    push = interpolate if barycentric else interpolate_exact
    return direct(push(mu, reference, t), push(nu, reference, t)) / (1 - t)


def sealed(mu: Measure, nu: Measure, isometry: Isometry, t: float = 0.5) -> float:
    """Wassay's default: one reference point, and one secret isometry of both measures."""
    reference = Reference(1, mu.dimension, Normal(), seed=0).measure()
    pushed = [isometry.apply(project(each, reference).interpolate(t)) for each in (mu, nu)]
    return direct(*pushed) / (1 - t)


def normal(
    rng: np.random.Generator, size: int, dimension: int, mean: float = 0.0, std: float = 1.0
) -> Measure:
    """Draw points with independent normal coordinates."""
    return Measure(rng.normal(mean, std, size=(size, dimension)))
