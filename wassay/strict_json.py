"""Parse the subset of JSON that all parsers read alike, for documents that are hashed or signed."""

import json
from typing import Any, NoReturn

from wassay.errors import WassayError


class RepeatedNameError(WassayError, ValueError):
    """An object of the JSON has the same name twice."""


def parse_json(content: bytes) -> Any:
    """Parse I-JSON (RFC 7493), the JSON that has a canonical form (RFC 8785).

    All numbers become floats.

    Raises
    ------
    ValueError
        If `content` is not JSON in UTF-8, contains NaN or Infinity, or is nested too deeply.
    RepeatedNameError
        If an object has a name twice, as parsers differ in which value they take.
    """
    try:
        return json.loads(
            content.decode(),
            # The canonical form writes the float 1e16 as an integer, which Python parses as an int.
            parse_int=float,
            parse_constant=_refuse_constant,
            object_pairs_hook=distinct_members,
        )
    except RecursionError as error:
        raise ValueError("expected JSON with less nesting") from error


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"expected a number, received {constant}")


def distinct_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a JSON object as a dictionary.

    Raises
    ------
    RepeatedNameError
        If two members have the same name.
    """
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise RepeatedNameError(
                f"expected different names in an object, received {name!r} twice"
            )
        found[name] = value
    return found
