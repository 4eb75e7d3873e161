"""How the client handles responses, and their absence."""

import socket

import pytest

from tests.client.answers import account, later, problem, request
from tests.client.conftest import KEY, Answer, Received, ScriptedServer
from wassay import Client
from wassay.client import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    InvalidArgumentError,
    NotFoundError,
    PreconditionError,
    ProblemError,
    RateLimitError,
    ServerError,
    TooLargeError,
    UnexpectedResponseError,
    UnprocessableError,
    UnsupportedMediaTypeError,
)


def test_a_creation_is_repeated_under_one_idempotency_key(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [later(503), later(502), Answer(None), Answer(201, account())]
    assert client.accounts.create(organisation="Acme", name="Ada").id == "acc_1"
    keys = [call.headers["Idempotency-Key"] for call in server.received]
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert len({call.body for call in server.received}) == 1


@pytest.mark.parametrize("flaw", ["\n", "\r\n", " ", "é"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated(flaw: str) -> None:
    with pytest.raises(InvalidArgumentError, match="API key") as refusal:
        Client("http://127.0.0.1:1", KEY + flaw)
    assert KEY not in str(refusal.value)


def test_two_creations_have_two_idempotency_keys(client: Client, server: ScriptedServer) -> None:
    server.script = [Answer(201, account()), Answer(201, account())]
    for _ in range(2):
        client.accounts.create(organisation="Acme", name="Ada")
    first, second = (call.headers["Idempotency-Key"] for call in server.received)
    assert first != second


def test_reading_is_repeated_when_the_connection_breaks(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(None), later(504), later(429), Answer(200, account())]
    assert client.accounts.me().name == "Ada"


@pytest.mark.parametrize("answer", [Answer(None), later(502), later(504)])
def test_a_change_of_state_that_may_have_happened_is_not_repeated(
    client: Client, server: ScriptedServer, answer: Answer
) -> None:
    server.script = [answer]
    with pytest.raises((ConnectionFailedError, ServerError)):
        client.requests.open("req_1")
    assert len(server.received) == 1


def test_a_change_of_state_that_was_not_processed_is_repeated(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [later(503), later(429), Answer(200, request(state="open"))]
    assert client.requests.open("req_1").state == "open"


def test_a_service_that_stays_down_ends_the_retries(client: Client, server: ScriptedServer) -> None:
    server.script = [later(503) for _ in range(5)]
    with pytest.raises(ServerError) as refused:
        client.accounts.me()
    assert refused.value.status == 503


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 500])
def test_a_refusal_is_not_repeated(client: Client, server: ScriptedServer, status: int) -> None:
    server.script = [problem(status)]
    with pytest.raises(ProblemError):
        client.accounts.me()
    assert len(server.received) == 1


def test_a_requested_pause_of_more_than_a_minute_is_an_error(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(429, problem(429).body, {"Retry-After": "3600"})]
    with pytest.raises(RateLimitError):
        client.accounts.me()


def test_a_date_in_the_past_means_that_the_pause_is_over(
    client: Client, server: ScriptedServer
) -> None:
    past = {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}
    server.script = [Answer(503, problem(503).body, past), Answer(200, account())]
    assert client.accounts.me().id == "acc_1"


def test_an_address_without_a_listener_is_named(client: Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with Client(address, KEY) as nobody, pytest.raises(ConnectionFailedError, match=address):
        nobody.accounts.me()


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, BadRequestError),
        (401, AuthenticationError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (409, ConflictError),
        (412, PreconditionError),
        (413, TooLargeError),
        (415, UnsupportedMediaTypeError),
        (418, ProblemError),
        (422, UnprocessableError),
        (428, PreconditionError),
        (500, ServerError),
    ],
)
def test_each_kind_of_problem_has_its_exception(
    client: Client, server: ScriptedServer, status: int, error: type[ProblemError]
) -> None:
    server.script = [problem(status)]
    with pytest.raises(ProblemError) as refused:
        client.accounts.me()
    assert type(refused.value) is error


def test_an_exception_carries_the_whole_problem(client: Client, server: ScriptedServer) -> None:
    server.script = [problem(422, "unknown-sweep-value", expected=[0.25, 0.5], received=0.3)]
    with pytest.raises(UnprocessableError) as refused:
        client.accounts.me()
    error = refused.value
    assert (error.status, error.type) == (422, "/problems/unknown-sweep-value")
    assert error.detail == str(error) == "Expected this, received that; do so."
    assert error.request_id == "0f1e"
    assert error.problem.expected == [0.25, 0.5]
    assert error.problem.received == 0.3


def test_a_proxy_that_refuses_in_its_own_words_is_still_a_refusal(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(403, b"<html>no</html>")]
    with pytest.raises(ForbiddenError, match="/v1/accounts/me answered 403"):
        client.accounts.me()


@pytest.mark.parametrize("body", [b"<html>welcome</html>", b'{"id": "acc_1"}'])
def test_a_response_that_is_not_the_apis_is_refused(
    client: Client, server: ScriptedServer, body: bytes
) -> None:
    server.script = [Answer(200, body)]
    with pytest.raises(UnexpectedResponseError, match="does not respond as Wassay does"):
        client.accounts.me()


def test_fields_of_a_newer_service_are_ignored(client: Client, server: ScriptedServer) -> None:
    server.script = [Answer(200, account(colour="green"))]
    assert client.accounts.me().id == "acc_1"


def test_an_id_cannot_reach_another_route(client: Client, server: ScriptedServer) -> None:
    server.script = [problem(404)]
    with pytest.raises(NotFoundError):
        client.requests.get("../accounts/me?x=1#y")
    assert server.received[0].target == "/v1/requests/..%2Faccounts%2Fme%3Fx%3D1%23y"


def test_a_list_is_read_to_its_last_page(client: Client, server: ScriptedServer) -> None:
    pages = [(["acc_3", "acc_2"], "second"), (["acc_1"], None)]
    server.script = [
        Answer(200, {"items": [account(id=id_) for id_ in ids], "next_cursor": cursor})
        for ids, cursor in pages
    ]
    assert [each.id for each in client.accounts.list()] == ["acc_3", "acc_2", "acc_1"]
    assert [call.target for call in server.received] == [
        "/v1/accounts",
        "/v1/accounts?cursor=second",
    ]


def test_the_key_goes_into_the_header_and_not_into_the_repr(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(200, account())]
    client.accounts.me()
    assert server.received[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(client)


def test_address_and_key_come_from_the_environment(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WASSAY_URL", server.url)
    monkeypatch.setenv("WASSAY_API_KEY", "wsy_from_environment")
    server.script = [Answer(200, account())]
    with Client() as client:
        client.accounts.me()
    assert server.received[0].headers["Authorization"] == "Bearer wsy_from_environment"


@pytest.mark.parametrize(
    ("address", "key", "named"),
    [
        (None, KEY, "WASSAY_URL"),
        ("http://127.0.0.1:8000", None, "WASSAY_API_KEY"),
        ("127.0.0.1:8000", KEY, "https://host"),
        ("ftp://127.0.0.1", KEY, "https://host"),
    ],
)
def test_without_an_address_or_a_key_there_is_no_client(
    monkeypatch: pytest.MonkeyPatch, address: str | None, key: str | None, named: str
) -> None:
    monkeypatch.delenv("WASSAY_URL", raising=False)
    monkeypatch.delenv("WASSAY_API_KEY", raising=False)
    with pytest.raises(InvalidArgumentError, match=named):
        Client(address, key)


def test_an_edit_names_the_version_that_was_read(client: Client, server: ScriptedServer) -> None:
    server.script = [
        Answer(200, request()),
        Answer(200, request(), {"ETag": '"v1"'}),
        Answer(200, request(title="Letters")),
    ]
    seen = client.requests.get("req_1")
    assert client.requests.edit(seen, title="Letters").title == "Letters"
    assert server.received[-1].method == "PATCH"
    assert server.received[-1].headers["If-Match"] == '"v1"'


def test_an_object_to_edit_is_read_uncompressed(client: Client, server: ScriptedServer) -> None:
    def compressing(received: Received) -> Answer:
        plain = received.headers["Accept-Encoding"] == "identity"
        return Answer(200, request(), {"ETag": '"v1"' if plain else '"v1-gzip"'})

    server.script = [Answer(200, request()), compressing, Answer(200, request(title="Letters"))]
    client.requests.edit(client.requests.get("req_1"), title="Letters")
    assert server.received[-1].headers["If-Match"] == '"v1"'


def test_an_edit_without_a_tag_is_not_sent_and_names_the_proxy(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(200, request()), Answer(200, request())]
    seen = client.requests.get("req_1")
    with pytest.raises(UnexpectedResponseError, match=r"ETag.*nothing was edited.*proxy"):
        client.requests.edit(seen, title="Letters")


def test_an_edit_of_what_others_edited_meanwhile_is_not_sent(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [
        Answer(200, request()),
        Answer(200, request(title="Theirs"), {"ETag": '"v2"'}),
    ]
    seen = client.requests.get("req_1")
    with pytest.raises(PreconditionError, match="Read it again"):
        client.requests.edit(seen, title="Mine")
    assert [call.method for call in server.received] == ["GET", "GET"]
