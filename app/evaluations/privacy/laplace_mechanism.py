"""Laplace noise that a computer's numbers do not give away.

A float of Laplace noise added to a float leaves traces in the last bits, from which the sum can be
undone (Mironov 2012). So the value is rounded to a grid, which does not depend on it, and a whole
number of steps is drawn, with exact integers only, from the discrete Laplace distribution (Canonne,
Kamath and Steinke 2020, algorithm 2), from the operating system's source of randomness.
"""

import math
import secrets
from dataclasses import dataclass
from fractions import Fraction

STEPS = 1024
"""At least this many steps of the grid make up the sensitivity, and the scale of the noise."""

ROUNDING_STEPS = 3
"""How many more steps two neighbouring values can be apart once computed and rounded."""


@dataclass(frozen=True)
class Released:
    """A value with noise.

    Attributes
    ----------
    value : float
    scale : float
        b of the noise's density exp(−|z|/b)/2b.
    """

    value: float
    scale: float


def release(value: float, *, sensitivity: float, epsilon: float, error: float) -> Released:
    """Add noise to a value, so that ε bounds what it tells of any one record.

    Parameters
    ----------
    value : float
        As it was computed.
    sensitivity : float
        How much one record can change the true value at most.
    epsilon : float
        What the release costs: no result is more than e^ε times as likely with one record as with
        another in its place.
    error : float
        How far the computed value may be from the true one.
    """
    finest = min(sensitivity, sensitivity / epsilon) / STEPS
    step = max(_power_of_two_below(finest), 2 * _power_of_two_below(error))
    apart = math.ceil(Fraction(sensitivity) / step) + ROUNDING_STEPS
    scale = apart / Fraction(epsilon)
    drawn = round(Fraction(value) / step) + discrete_laplace(scale)
    return Released(float(drawn * step), float(scale * step))


def discrete_laplace(scale: Fraction) -> int:
    """Draw a whole number z with probability proportional to exp(−|z|/scale), exactly."""
    whole, part = scale.numerator, scale.denominator
    while True:
        within = secrets.randbelow(whole)
        if not _happens_exp(Fraction(within, whole)):
            continue
        turns = 0
        while _happens_exp(Fraction(1)):
            turns += 1
        size = (within + whole * turns) // part
        negative = secrets.randbelow(2) == 1
        if not (negative and size == 0):
            return -size if negative else size


def _happens_exp(rate: Fraction) -> bool:
    """Be true with probability exp(−rate), 0 ≤ rate ≤ 1, exactly."""
    turns = 1
    while secrets.randbelow(rate.denominator * turns) < rate.numerator:
        turns += 1
    return turns % 2 == 1


def _power_of_two_below(value: float) -> Fraction:
    """Return the largest power of two that is not above a positive value."""
    exponent = math.frexp(value)[1] - 1
    return Fraction(2) ** exponent
