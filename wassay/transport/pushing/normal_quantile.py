"""The normal quantile function, logarithm and exponential, with the same bits on every machine.

The functions use only operations whose every bit IEEE 754 defines, each in a numpy call of its own.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Coefficients of numerators and denominators, the highest power first.
_MIDDLE = (
    (
        *(2509.0809287301226727, 33430.575583588128105, 67265.770927008700853),
        *(45921.953931549871457, 13731.693765509461125, 1971.5909503065514427),
        *(133.14166789178437745, 3.3871328727963666080),
    ),
    (
        *(5226.4952788528545610, 28729.085735721942674, 39307.895800092710610),
        *(21213.794301586595867, 5394.1960214247511077, 687.18700749205790830),
        *(42.313330701600911252, 1.0),
    ),
)
_TAIL = (
    (
        *(7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1),
        *(1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550),
        *(4.63033784615654529590, 1.42343711074968357734),
    ),
    (
        *(1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2),
        *(1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940),
        *(2.05319162663775882187, 1.0),
    ),
)
_FAR_TAIL = (
    (
        *(2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3),
        *(2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580),
        *(5.46378491116411436990, 6.65790464350110377720),
    ),
    (
        *(2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5),
        *(7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1),
        *(5.99832206555887937690e-1, 1.0),
    ),
)
_LN_2 = 0.6931471805599453
_LN_2_HIGH, _LN_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
_TAYLOR = tuple(1.0 / math.factorial(power) for power in range(14, -1, -1))
_ATANH = tuple(1.0 / power for power in range(23, 0, -2))


def normal_quantile(levels: Array) -> Array:
    """Return Φ⁻¹ of levels strictly between 0 and 1, with a relative error of about 1e-15."""
    # Wichura's AS241 (Applied Statistics 37, 1988).
    centred = levels - 0.5
    square = centred * centred
    found = centred * _ratio(_MIDDLE, 0.180625 - square)
    outside = np.abs(centred) > 0.425
    if outside.any():
        level, below = levels[outside], centred[outside] < 0.0
        depth = np.sqrt(-log(np.where(below, level, 1.0 - level)))
        beyond = np.where(depth <= 5.0, _ratio(_TAIL, depth - 1.6), _ratio(_FAR_TAIL, depth - 5.0))
        found[outside] = np.where(below, -beyond, beyond)
    return found


def log(values: Array) -> Array:
    """Return the natural logarithm of positive, finite values, with the same bits everywhere."""
    mantissa, exponent = np.frexp(values)
    low = mantissa < 0.7071067811865476
    mantissa = np.where(low, mantissa * 2.0, mantissa)
    exponent = np.where(low, exponent - 1, exponent)
    # A series, because libraries' logarithms differ in the last bit:
    # log m = 2 artanh(s) with s = (m − 1) / (m + 1), and |s| < 0.172.
    s = (mantissa - 1.0) / (mantissa + 1.0)
    series = _polynomial(_ATANH, s * s)
    return np.asarray(exponent * _LN_2 + 2.0 * (s * series))


def exp(values: Array) -> Array:
    """Return the exponential of values from −700 to 0, with the same bits everywhere."""
    halvings = np.floor(values * (1.0 / _LN_2) + 0.5)
    rest = (values - halvings * _LN_2_HIGH) - halvings * _LN_2_LOW
    return np.ldexp(_polynomial(_TAYLOR, rest), halvings.astype(np.int64))


def _ratio(coefficients: tuple[Sequence[float], Sequence[float]], at: Array) -> Array:
    numerator, denominator = coefficients
    return _polynomial(numerator, at) / _polynomial(denominator, at)


def _polynomial(coefficients: Sequence[float], at: Array) -> Array:
    """Evaluate a polynomial; the coefficient of the highest power comes first."""
    value = np.full_like(at, coefficients[0])
    for coefficient in coefficients[1:]:
        value *= at  # a call of its own, so that no compiler fuses it with the sum
        value += coefficient
    return value
