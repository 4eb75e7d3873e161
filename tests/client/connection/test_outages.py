"""Operations with a deadline survive outages of the service that end before it."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.client.answers import evaluation, later, problem, stored
from tests.client.conftest import Answer, ScriptedServer
from wassay import Client
from wassay.client import ConnectionFailedError, NotFoundError, ServerError
from wassay.client.connection import outages, retries
from wassay.client.evaluation.polling import poll_until_succeeded
from wassay.transport import Measure

MORE_THAN_A_CALL_RETRIES = 4 * (retries.RETRIES + 1)


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_backoff", lambda _: 0.0)
    monkeypatch.setattr(outages, "PAUSE_SECONDS", 0.0)


def wait(client: Client, timeout: float | None) -> Any:
    return client.run(poll_until_succeeded(client.flows, "evl_1", progress=False, timeout=timeout))


@pytest.mark.parametrize("timeout", [120, None])
@pytest.mark.parametrize("away", [lambda: later(502), lambda: later(503), lambda: Answer(None)])
def test_waiting_for_an_evaluation_outlives_an_outage(
    client: Client, server: ScriptedServer, away: Callable[[], Answer], timeout: float | None
) -> None:
    server.script = [
        Answer(200, evaluation(state="running", finished_at=None)),
        *(away() for _ in range(MORE_THAN_A_CALL_RETRIES)),
        Answer(200, evaluation()),
    ]

    assert wait(client, timeout).state == "succeeded"
    assert server.script == []


def test_waiting_ends_at_its_deadline_with_what_the_service_said_last(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [later(503) for _ in range(retries.RETRIES + 1)]
    with pytest.raises(ServerError):
        wait(client, 1e-6)


def test_a_refused_connection_is_an_error_at_the_deadline() -> None:
    with (
        Client("http://127.0.0.1:9", "wsy_abcdefgh_x") as client,
        pytest.raises(ConnectionFailedError, match="Is the service running"),
    ):
        wait(client, 0.2)


def test_a_refusal_ends_the_wait_at_once(client: Client, server: ScriptedServer) -> None:
    server.script = [problem(404, "not-found")]
    with pytest.raises(NotFoundError):
        wait(client, 120)


@pytest.mark.parametrize("is_large", [False, True])
def test_an_upload_outlives_an_outage(
    client: Client, server: ScriptedServer, is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_large:
        monkeypatch.setattr("wassay.client.array_uploads.RESUMED_FROM_BYTES", 100)
    measure = Measure(np.arange(6.0).reshape(3, 2))
    away = [later(503) if n % 2 else Answer(None) for n in range(MORE_THAN_A_CALL_RETRIES)]

    def arrived(call: Any) -> Answer:
        return Answer(200, stored(hashlib.sha256(call.body).hexdigest(), bytes=len(call.body)))

    none_yet = Answer(202, {"received": 0, "bytes": 176})
    server.script = (
        [Answer(None), *away, none_yet, *[Answer(None), *away, none_yet], arrived]
        if is_large
        else [*away, arrived]
    )

    client.requests.upload_measure("req_1", measure)

    assert server.script == []
