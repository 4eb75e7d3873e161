"""Organisations take turns in the queue. No worker runs."""

from collections import Counter, defaultdict
from collections.abc import Callable

from sqlalchemy import text

from app.evaluations.jobs.turns import next_turn
from app.evaluations.queue_repository import Backlog
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate

HELD = data(10, 12)


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
