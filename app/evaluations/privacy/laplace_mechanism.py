"""The Laplace mechanism, safe against attacks on floating-point arithmetic."""

import math
import secrets
from dataclasses import dataclass
from fractions import Fraction

STEPS = 1024
"""The least number of grid steps in the sensitivity and in the scale of the noise.

There are fewer if the computed value has an error that requires a wider grid.
"""

ROUNDING_STEPS = 3
"""By how many grid steps rounding and errors can increase the difference that one record makes."""


@dataclass(frozen=True)
class Released:
    """A value with noise.

    Attributes
    ----------
    value : float
        The rounded value plus noise.
    scale : float
        The scale b of the noise z, whose density is exp(−|z|/b)/2b.
    """

    value: float
    scale: float


def release(value: float, *, sensitivity: float, epsilon: float, error: float) -> Released:
    """Add Laplace noise to a value, so that its release is ε-differentially private.

    Parameters
    ----------
    value : float
        The computed value.
    sensitivity : float
        How much the true value can change when one record is replaced.
    epsilon : float
        The privacy budget: replacing one record changes the probability of any result by a factor
        of at most e^ε.
    error : float
        How far the computed value may be from the true value.

    Returns
    -------
    Released
    """
    finest = min(sensitivity, sensitivity / epsilon) / STEPS
    step = max(_power_of_two_below(finest), 2 * _power_of_two_below(error))
    distance_in_steps = math.ceil(Fraction(sensitivity) / step) + ROUNDING_STEPS
    scale = distance_in_steps / Fraction(epsilon)
    # The last bits of a sum of floats would reveal the value (Mironov 2012). So the value is
    # rounded to a grid that does not depend on it, and the noise is a number of grid steps.
    drawn = round(Fraction(value) / step) + discrete_laplace(scale)
    return Released(float(drawn * step), float(scale * step))


def discrete_laplace(scale: Fraction) -> int:
    """Draw an integer z with probability exactly proportional to exp(−|z|/scale)."""
    # In exact integer arithmetic: Canonne, Kamath and Steinke 2020, algorithm 2.
    numerator, denominator = scale.numerator, scale.denominator
    while True:
        within = secrets.randbelow(numerator)
        if not _bernoulli_exp(Fraction(within, numerator)):
            continue
        turns = 0
        while _bernoulli_exp(Fraction(1)):
            turns += 1
        size = (within + numerator * turns) // denominator
        negative = secrets.randbelow(2) == 1
        if not (negative and size == 0):
            return -size if negative else size


def _bernoulli_exp(rate: Fraction) -> bool:
    """Return True with probability exactly exp(−rate); 0 ≤ rate ≤ 1."""
    turns = 1
    while secrets.randbelow(rate.denominator * turns) < rate.numerator:
        turns += 1
    return turns % 2 == 1


def _power_of_two_below(value: float) -> Fraction:
    """Return the largest power of two that does not exceed a positive value."""
    exponent = math.frexp(value)[1] - 1
    return Fraction(2) ** exponent
