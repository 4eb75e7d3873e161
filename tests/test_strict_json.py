"""JSON for hashing and signing, compared with the examples of RFC 8785."""

import struct

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from wassay.strict_json import parse_json

# RFC 8785, appendix B: the IEEE 754 bits of numbers, and their canonical text.
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
def test_canonical_numbers_of_the_rfc_are_read_as_the_doubles_they_are(bits: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    read = parse_json(NUMBERS[bits].encode())
    assert isinstance(read, float)
    assert read == number
    assert rfc8785.dumps(read).decode() == NUMBERS[bits]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_canonically_is_read_and_written_as_the_same_bytes(number: float) -> None:
    written = rfc8785.dumps({"": [number]})
    assert parse_json(written) == {"": [number]}
    assert rfc8785.dumps(parse_json(written)) == written


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a":1,"a":1}', "'a' twice"),
        (b'[{"b":{"a":1,"\\u0061":2}}]', "'a' twice"),
        (b"[NaN]", "expected a number, received NaN"),
        (b"-Infinity", "expected a number, received -Infinity"),
        (b"[" * 100_000, "less nesting"),
        (b"\xff", "utf-8"),
        (b"{", "Expecting"),
    ],
)
def test_json_that_parsers_read_differently_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_json(content)
