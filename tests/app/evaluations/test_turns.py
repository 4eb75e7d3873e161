"""Organisations take turns in the queue, and have a limit on its length. No worker runs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from app.evaluations.jobs.turns import next_turn
from app.evaluations.queue_repository import Backlog
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market

HELD = data(10, 12)


@pytest.fixture
def buyer_of(http: Callable[..., Party]) -> Iterator[Callable[[str], tuple[Party, str]]]:
    """Make a buyer of an organisation, with a request that can be evaluated."""
    made: list[tuple[Party, str]] = []

    def buyer(organisation: str) -> tuple[Party, str]:
        party = http("buyer", organisation=organisation)
        made.append((party, market(http, HELD, ["measure"], buyer=party)[2]))
        return made[-1]

    yield buyer
    for party, request_id in made:
        party.post(f"/v1/requests/{request_id}/cancel")


def dequeued(service: Service, *evaluation_ids: str) -> list[str]:
    """Return the ids of jobs in the order in which workers would dequeue them."""
    schema = "dbos." if service.database.engine.dialect.name == "postgresql" else ""
    with service.database.snapshot() as session:
        names = session.scalars(
            text(f"SELECT workflow_uuid FROM {schema}workflow_status ORDER BY priority, created_at")
        ).all()
    return [name for name in names if name.partition(".")[0] in evaluation_ids]


def test_the_first_evaluation_of_an_organisation_is_next_however_many_another_has(
    buyer_of: Callable[[str], tuple[Party, str]], service: Service
) -> None:
    many, few = buyer_of("Many"), buyer_of("Few")
    asked = [evaluate(*many) for _ in range(5)]
    late = [evaluate(*few) for _ in range(2)]

    order = dequeued(service, *asked, *late)

    assert order == [asked[0], late[0], asked[1], late[1], *asked[2:]]
    positions = [
        few[0].get(f"/v1/evaluations/{evaluation_id}").json()["reason"] for evaluation_id in late
    ]
    assert all(reason.startswith("No worker") for reason in positions)


def test_an_evaluation_of_one_organisation_goes_before_the_further_chunks_of_anothers(
    buyer_of: Callable[[str], tuple[Party, str]], service: Service
) -> None:
    jobs, (long, others) = Jobs(service), (buyer_of("Long"), buyer_of("Others"))
    cut, small = evaluate(*long), evaluate(*long)
    assert jobs.evaluations.prepare(cut)
    jobs.evaluations.publish(cut, {"bounds": [(n, n + 1) for n in range(4)]})
    assert jobs.chunks.prepare(f"{cut}.0")

    new = evaluate(*others)

    _, *order = dequeued(service, cut, small, new)
    # Two evaluations of one organisation share its turns: each gets every second one.
    assert order == [small, f"{cut}.0", new, *(f"{cut}.{n}" for n in (1, 2, 3))]


def test_organisations_that_always_ask_get_equal_shares_whatever_their_backlogs() -> None:
    """Serve one evaluation at a time, while each organisation keeps its backlog full."""
    waiting: dict[str, list[tuple[int, int]]] = defaultdict(list)
    last_served: dict[str, int] = defaultdict(int)
    served: Counter[str] = Counter()
    reached = 1
    for time in range(600):
        for organisation, backlog in (("hundred", 100), ("ten", 10), ("one", 1)):
            while len(waiting[organisation]) < backlog:
                last = max([turn for turn, _ in waiting[organisation]], default=0)
                if last_served[organisation] >= reached:
                    last = max(last, reached)
                waiting[organisation].append((next_turn(Backlog(0, 0, reached, last)), time))
        _, organisation = min((jobs[0], name) for name, jobs in waiting.items())
        turn, _ = waiting[organisation].pop(0)
        last_served[organisation] = reached = max(reached, turn)
        served[organisation] += 1
    assert max(served.values()) - min(served.values()) <= 2


@pytest.fixture
def limits(service: Service) -> Iterator[Callable[..., None]]:
    """Change settings of the running service."""
    usual = service.app.state.settings

    def change(**changes: Any) -> None:
        service.app.state.settings = usual.model_copy(update=changes)

    yield change
    service.app.state.settings = usual


def test_calls_at_once_exceed_neither_the_limit_of_an_account_nor_of_its_organisation(
    buyer_of: Callable[[str], tuple[Party, str]], limits: Callable[..., None]
) -> None:
    limits(account_evaluations=3, organisation_evaluations=5)
    (ada, own), (bob, others) = buyer_of("Limited"), buyer_of("limited ")

    def ask(call: tuple[Party, str]) -> Any:
        party, request_id = call
        return party.post(f"/v1/requests/{request_id}/evaluations", json={})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, [(ada, own)] * 8))
        of_colleague = list(threads.map(ask, [(bob, others)] * 4))

    assert Counter(answer.status_code for answer in answers) == {202: 3, 429: 5}
    assert Counter(answer.status_code for answer in of_colleague) == {202: 2, 429: 2}
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert problem(refused) == (429, "too-many-evaluations")
    assert refused.headers["Retry-After"] == "5"
    assert (refused.json()["expected"], refused.json()["received"]) == (3, 3)
    by_organisation = next(answer for answer in of_colleague if answer.status_code == 429)
    assert "of your organisation; it has 5" in by_organisation.json()["detail"]

    accepted = next(answer for answer in answers if answer.status_code == 202)
    ada.post(f"/v1/evaluations/{accepted.json()['id']}/cancel")
    assert ask((ada, own)).status_code == 202
