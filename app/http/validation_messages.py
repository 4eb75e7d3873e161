"""Say what the service expected in place of an invalid value, without pydantic's vocabulary."""

import json
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from .ids import ID_PATTERN

MAX_ECHO_CHARACTERS = 100

A_TIME = "expected a time with its zone, such as 2027-12-31T23:59:00Z"
AN_INTEGER, A_NUMBER = "expected a whole number", "expected a number"
A_TEXT, A_TRUTH, A_LIST, AN_OBJECT = (
    "expected text",
    "expected true or false",
    "expected a list",
    "expected an object",
)

FIXED = {
    "missing": "expected a value",
    "string_type": A_TEXT,
    "int_type": AN_INTEGER,
    "int_parsing": AN_INTEGER,
    "int_from_float": AN_INTEGER,
    "int_parsing_size": AN_INTEGER,
    "float_type": A_NUMBER,
    "float_parsing": A_NUMBER,
    "finite_number": "expected a finite number",
    "bool_type": A_TRUTH,
    "bool_parsing": A_TRUTH,
    "list_type": A_LIST,
    "dict_type": AN_OBJECT,
    "model_type": AN_OBJECT,
    "model_attributes_type": AN_OBJECT,
    "union_tag_not_found": "expected an object with a 'kind'",
    "timezone_aware": A_TIME,
    "datetime_type": A_TIME,
    "datetime_parsing": A_TIME,
    "datetime_from_date_parsing": A_TIME,
}

FILLED: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "string_too_short": lambda found: (
        f"expected text of at least {_counted(found['min_length'], 'character')}"
    ),
    "string_too_long": lambda found: f"expected text of at most {found['max_length']} characters",
    "too_short": lambda found: f"expected at least {_counted(found['min_length'], 'item')}",
    "too_long": lambda found: f"expected at most {_counted(found['max_length'], 'item')}",
    "greater_than": lambda found: f"expected a number above {found['gt']:g}",
    "greater_than_equal": lambda found: f"expected a number of at least {found['ge']:g}",
    "less_than": lambda found: f"expected a number below {found['lt']:g}",
    "less_than_equal": lambda found: f"expected a number of at most {found['le']:g}",
    "literal_error": lambda found: f"expected {found['expected']}",
    "enum": lambda found: f"expected {found['expected']}",
    "union_tag_invalid": lambda found: f"expected one of {found['expected_tags']}",
    "string_pattern_mismatch": lambda found: (
        "expected an id such as req_01jd…, without spaces"
        if found["pattern"] == ID_PATTERN
        else f"expected text of the form {found['pattern']}"
    ),
}


def expectation(error: Mapping[str, Any], fields: Iterable[str] = ()) -> str:
    """Return a text that says what was expected, for one of pydantic's errors.

    Parameters
    ----------
    error
        An item of `ValidationError.errors()`.
    fields
        The names of the body's fields. One of them is suggested for a misspelt name.
    """
    kind = error["type"]
    if kind in FIXED:
        return FIXED[kind]
    if kind in FILLED:
        return FILLED[kind](error["ctx"])
    if kind == "extra_forbidden":
        return _no_such_field(str(error["loc"][-1]), fields)
    return str(error["msg"]).removeprefix("Value error, ")


def echo(value: Any) -> str:
    """Return a received value as text, cut after 100 characters; a list or object as its length."""
    if isinstance(value, Mapping | list):
        return f"{'an object' if isinstance(value, Mapping) else 'a list'} of {len(value)}"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= MAX_ECHO_CHARACTERS else f"{text[:MAX_ECHO_CHARACTERS]}…"


def _no_such_field(name: str, fields: Iterable[str]) -> str:
    near = get_close_matches(name, list(fields), n=1)
    return f"expected no field of this name{f'; did you mean {near[0]}?' if near else ''}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
