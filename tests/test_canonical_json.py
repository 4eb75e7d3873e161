"""Canonical JSON, against what RFC 8785 gives as right."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wassay.canonical_json import canonical_json

# RFC 8785, appendix B: numbers by their IEEE 754 bits, and how they are written.
NUMBERS = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "becbf647612f3696": "-0.0000033333333333333333",
}


@pytest.mark.parametrize("bits", NUMBERS)
def test_numbers_are_written_as_the_rfc_writes_them(bits: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_json(number).decode() == NUMBERS[bits]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_itself(number: float) -> None:
    assert float(canonical_json(number)) == number


def test_names_are_sorted_and_nothing_is_between() -> None:
    value = {"b": [1, 0.5, None], "a": {"é": "€\n\x0f", "A": True}}
    assert canonical_json(value) == '{"a":{"A":true,"é":"€\\n\\u000f"},"b":[1,0.5,null]}'.encode()


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 2**53 + 1, {1: 2}, b"bytes", object()]
)
def test_what_json_cannot_hold_for_everybody_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        canonical_json(value)
