"""Explain refused values of options: what was expected, and what was received."""

import re
from typing import Any

import typer

EXPECTED = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
}
_CHOICES = re.compile(r"is not one of (.*?)\.?$")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


def explain_value(refused: typer.BadParameter) -> None:
    """Say in an error about an option's value what was expected and what was received.

    Leave errors unchanged that say so already, or whose value has no simple description.
    """
    errors = getattr(refused.__cause__, "errors", None)
    if errors is None:  # Our own parsers already explain the value.
        return
    first: dict[str, Any] = errors()[0]
    choices = _CHOICES.search(first["msg"])
    expected = f"one of {choices[1]}" if choices else EXPECTED.get(first["type"])
    if expected is None:
        return
    received = str(first["input"])
    advice = ": write decimals with a point" if _DECIMAL_COMMA.fullmatch(received) else ""
    refused.message = f"expected {expected}, received {received!r}{advice}"
