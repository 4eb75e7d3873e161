"""The media type of a response (RFC 9110 §12.5.1)."""

import pytest

from app.arrays.media_types import JSON, NPY, negotiate
from app.arrays.problems import NotAcceptable


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, NPY),
        ("", NPY),
        ("*/*", NPY),
        ("application/*", NPY),
        ("application/json", JSON),
        ("Application/JSON; charset=utf-8", JSON),
        ("application/x-npy;q=0.5, application/json", JSON),
        ("application/json;q=0.5, */*;q=0.1", JSON),
        ("application/x-npy;q=0, */*", JSON),
        ("text/html, application/xhtml+xml, application/json;q=0.9, */*;q=0.8", JSON),
        ("application/json;q=0.3, application/x-npy;q=0.3", NPY),
    ],
)
def test_the_caller_s_preference_decides_and_npy_wins_a_tie(
    accept: str | None, chosen: str
) -> None:
    assert negotiate(accept, (NPY, JSON)) == chosen


@pytest.mark.parametrize("accept", ["text/html", "*/*;q=0", "application/json;q=x", ","])
def test_a_media_type_that_no_response_has_is_not_acceptable(accept: str) -> None:
    with pytest.raises(NotAcceptable) as refused:
        negotiate(accept, (NPY, JSON))
    assert refused.value.extensions["supported"] == [NPY, JSON]


def test_a_large_array_is_not_sent_as_json() -> None:
    with pytest.raises(NotAcceptable, match="too large for JSON"):
        negotiate("application/json", (NPY,))
