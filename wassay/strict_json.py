"""Parse the subset of JSON that all parsers read alike, to hash and sign it."""

import json
from typing import Any, NoReturn

from wassay.errors import WassayError


class RepeatedNameError(WassayError, ValueError):
    """A name is twice in one object."""


def parse_json(content: bytes) -> Any:
    """Parse I-JSON (RFC 7493), the JSON that has a canonical form (RFC 8785).

    All numbers become floats, as in that form. It writes 1e16 as an integer, which Python would
    otherwise parse as an int.

    Raises
    ------
    ValueError
        If it is not JSON in UTF-8, contains NaN or Infinity, is nested too deeply, or has a name
        twice in one object: parsers differ in which of the values they take.
    """
    try:
        return json.loads(
            content.decode(),
            parse_int=float,
            parse_constant=_refuse_constant,
            object_pairs_hook=distinct_members,
        )
    except RecursionError as error:
        raise ValueError("expected JSON with less nesting") from error


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"expected a number, received {constant}")


def distinct_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a parsed object.

    Raises
    ------
    RepeatedNameError
        If two have the same name.
    """
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise RepeatedNameError(
                f"expected different names in an object, received {name!r} twice"
            )
        found[name] = value
    return found
