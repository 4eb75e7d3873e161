"""JSON that every reader reads alike, so that what it says can be hashed and signed."""

import json
from typing import Any, NoReturn


def parse_json(content: bytes) -> Any:
    """Parse I-JSON (RFC 7493), the JSON that has a canonical form (RFC 8785).

    All numbers become floats, as that form takes them to be: 1e16 is written as an integer that
    Python would otherwise read as one.

    Raises
    ------
    ValueError
        If it is not JSON in UTF-8, holds NaN or Infinity, is nested too deeply, or an object in it
        has a name twice, of which readers elsewhere may take the other value.
    """
    try:
        return json.loads(
            content.decode(),
            parse_int=float,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except RecursionError as error:
        raise ValueError("expected JSON that is nested less deeply") from error


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise ValueError(f"an object has the name {name!r} twice")
        found[name] = value
    return found
