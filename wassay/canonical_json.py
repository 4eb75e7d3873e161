"""JSON as RFC 8785 writes it: one text for one value, so that it can be hashed and signed."""

import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, NoReturn

LARGEST_INTEGER = 2**53
_PLAIN_DIGITS = 21
_SMALLEST_PLAIN = -7


def canonical_json(value: object) -> bytes:
    """Write a JSON value as the only bytes that RFC 8785 allows for it.

    Parameters
    ----------
    value
        Mappings with text as keys, sequences, text, numbers, booleans and None.

    Raises
    ------
    ValueError
        When it holds something else, a number that is not finite, or an integer beyond 2⁵³, which
        other languages would read as another one.
    """
    return _written(value).encode()


def parse_json(content: bytes) -> Any:
    """Read JSON that says one thing only, as the canonical form presupposes (RFC 7493).

    Of a name that comes twice, readers elsewhere may take the other value.

    Raises
    ------
    ValueError
        When it is not JSON in UTF-8, holds NaN or Infinity, is nested too deeply, or an object in
        it has a name twice.
    """
    try:
        return json.loads(
            content.decode(), parse_constant=_refused, object_pairs_hook=_with_distinct_names
        )
    except RecursionError as error:
        raise ValueError("expected JSON that is nested less deeply") from error


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _with_distinct_names(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise ValueError(f"an object has the name {name!r} twice")
        found[name] = value
    return found


def _written(value: object) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise ValueError(f"expected an integer of at most 2^53 in magnitude, got {value}")
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise ValueError(f"expected text as the names of a JSON object, got {list(value)}")
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        members = [f"{encode_basestring(name)}:{_written(value[name])}" for name in names]
        return "{" + ",".join(members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return "[" + ",".join(map(_written, value)) + "]"
    raise ValueError(f"expected a value that JSON can hold, got {type(value).__name__}")


def _number(value: float) -> str:
    """Write a number as ECMAScript does: the shortest digits that read back as it."""
    if not isfinite(value):
        raise ValueError(f"expected a finite number, got {value}")
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if len(digits) <= point <= _PLAIN_DIGITS:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= _PLAIN_DIGITS:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _SMALLEST_PLAIN < point - 1 < 0:
        return f"{sign}0.{'0' * -point}{digits}"
    scientific = digits[0] + (f".{digits[1:]}" if digits[1:] else "")
    return f"{sign}{scientific}e{point - 1:+d}"
