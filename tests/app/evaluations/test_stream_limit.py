"""Limits on the event streams of an account and of its organisation. No worker runs."""

from collections.abc import Callable
from contextlib import ExitStack

from app.http.rate_limit import RateLimit
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.jobs import eventually
from tests.app.evaluations.market import data, evaluate, market
from tests.conftest import ON_POSTGRES

HELD = data(10, 12)


def another_market(http: Callable[..., Party], buyer: Party) -> tuple[Party, str]:
    _, _, request_id, _ = market(http, HELD, ["measure"], buyer=buyer)
    return buyer, request_id


@ON_POSTGRES
def test_opening_a_stream_counts_as_ten_requests(
    service: Service, http: Callable[..., Party]
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
    path = f"/v1/evaluations/{evaluation_id}/events"
    usual = service.app.state.rate_limit
    service.app.state.rate_limit = RateLimit(25, clock=lambda: 0.0)

    responses = [buyer.get(path) for _ in range(3)]

    service.app.state.rate_limit = usual

    assert [each.status_code for each in responses] == [200, 200, 429]
    assert problem(responses[-1]) == (429, "too-many-requests")
    assert responses[1].headers["ratelimit"].startswith('"requests";r=5')


@ON_POSTGRES
def test_streams_of_an_account_and_of_its_organisation_are_limited_until_one_closes(
    http: Callable[..., Party], limit_streams: Callable[[int, int], None]
) -> None:
    limit_streams(2, 3)
    buyer, (seller, *_), request_id, _ = market(
        http, HELD, ["measure"] * 2, buyer=http("buyer", organisation="Followers")
    )
    path = f"/v1/evaluations/{evaluate(buyer, request_id)}/events"
    colleague = http("buyer", organisation=" FOLLOWERS")
    own = f"/v1/evaluations/{evaluate(*another_market(http, colleague))}/events"

    def status(party: Party, path: str) -> int:
        with party.stream("GET", path) as stream:
            return stream.status_code

    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(buyer.stream("GET", path))
        third = buyer.get(path)
        stack.enter_context(colleague.stream("GET", own))
        fourth = colleague.get(own)

        assert problem(third) == problem(fourth) == (429, "too-many-streams")
        assert third.headers["Retry-After"] == "5"
        assert (third.json()["expected"], third.json()["received"]) == (2, 2)
        assert "of your account; it has 2" in third.json()["detail"]
        assert "of your organisation; it has 3" in fourth.json()["detail"]
        assert status(seller, path) == 200
    eventually(lambda: status(buyer, path) == 200, "closed streams do not count")
    for party in (buyer, colleague):
        for request in party.get("/v1/requests?role=buyer").json()["items"]:
            party.post(f"/v1/requests/{request['id']}/cancel")
