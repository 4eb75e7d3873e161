"""Pauses between retries of a call. Flows do no I/O, so the tests need not wait."""

import email.utils
import random
import time
from collections.abc import Callable

import httpx
import pytest

from tests.client.conftest import KEY
from wassay.client import RateLimitError, ServerError
from wassay.client.connection.connection import Connection
from wassay.client.connection.flows import Call, Flow, Pause

URL = "http://127.0.0.1:1/v1/accounts/me"


def refusal(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, headers=headers, request=httpx.Request("GET", URL))


def started() -> Flow[httpx.Response]:
    flow = Connection("http://127.0.0.1:1", KEY).send("GET", ("accounts", "me"))
    assert isinstance(next(flow), Call)
    return flow


def pause_after(seconds: str) -> float:
    pause = started().send(refusal(429, **{"Retry-After": seconds}))
    assert isinstance(pause, Pause)
    return pause.seconds


@pytest.mark.parametrize(("jitter", "first"), [(min, 0.15), (max, 0.25)])
def test_pauses_double_from_a_fifth_of_a_second_give_or_take_a_quarter(
    monkeypatch: pytest.MonkeyPatch, jitter: Callable[..., float], first: float
) -> None:
    monkeypatch.setattr(random, "uniform", jitter)
    flow = started()
    pauses = []
    for _ in range(4):
        pause = flow.send(refusal(503))
        assert isinstance(pause, Pause)
        pauses.append(pause.seconds)
        assert isinstance(next(flow), Call)
    assert pauses == pytest.approx([first, 2 * first, 4 * first, 8 * first])
    with pytest.raises(ServerError):
        flow.send(refusal(503))


def test_a_service_that_names_the_pause_is_waited_for_as_long_and_up_to_a_quarter_longer() -> None:
    assert all(40 <= pause_after("40") <= 50 for _ in range(20))


def test_a_minute_is_the_longest_pause_to_ask_for_whatever_the_jitter() -> None:
    assert all(60 <= pause_after("60") <= 75 for _ in range(20))
    with pytest.raises(RateLimitError):
        pause_after("61")


def test_a_service_may_name_the_moment_when_the_pause_ends() -> None:
    assert 30 < pause_after(email.utils.formatdate(time.time() + 50, usegmt=True)) <= 62.5
    with pytest.raises(RateLimitError):
        pause_after(email.utils.formatdate(time.time() + 90, usegmt=True))
