"""Workers and their children: what is asked is computed once, whatever dies on the way."""

import json
import signal

from app.jobs.presence import living_workers
from tests.jobs.conftest import ToyService, descendants, eventually, gone
from tests.jobs.toy import toys


def test_progress_is_seen_while_a_job_runs(service: ToyService) -> None:
    service.ask("long", "count", steps=8, seconds=0.5)
    service.start_worker("one")

    running = service.wait("long", lambda toy: toy.progress != "")
    done = service.wait("long", lambda toy: toy.state == "succeeded")

    assert running.state == "running"
    seen = [int(step.split("/")[0]) for step in done.progress.split()]
    assert seen[0] == 0
    assert seen == sorted(set(seen))
    assert len(seen) > 1


def test_jobs_run_at_the_same_time_up_to_the_workers_limit(service: ToyService) -> None:
    worker = service.start_worker("one", WASSAY_WORKER_CONCURRENCY="2")
    for name in ("first", "second", "third"):
        service.ask(name, "burn")

    service.wait("second", lambda toy: toy.state == "running")
    eventually(lambda: len(descendants(worker)) == 4, "two children, each with a child")

    assert service.toy("first").state == "running"
    assert service.toy("third").state == "waiting"


def test_what_a_cancelled_job_was_burning_ends_with_all_its_processes(service: ToyService) -> None:
    worker = service.start_worker("one")
    service.ask("burning", "burn")
    eventually(lambda: len(descendants(worker)) == 2, "a child with a child")
    family = descendants(worker)

    service.cancel("burning")

    eventually(lambda: gone(family), "every process gone", seconds=5)
    assert service.toy("burning").state == "cancelled"
    service.ask("next", "add", a=1, b=1)
    service.wait("next", lambda toy: toy.state == "succeeded")


def test_a_job_cancelled_while_it_waits_is_never_begun(service: ToyService) -> None:
    service.ask("waiting", "add", a=1, b=1)
    service.cancel("waiting")
    service.ask("next", "add", a=1, b=1)
    service.start_worker("one", WASSAY_WORKER_CONCURRENCY="1")

    service.wait("next", lambda toy: toy.state == "succeeded")

    waiting = service.toy("waiting")
    assert (waiting.state, waiting.attempts, waiting.publications) == ("cancelled", 0, 0)


def test_a_worker_killed_amid_a_job_and_started_again_finishes_it_and_publishes_once(
    service: ToyService,
) -> None:
    worker = service.start_worker("one")
    service.ask("interrupted", "count", steps=6, seconds=0.5)
    service.wait("interrupted", lambda toy: toy.progress != "")

    worker.send_signal(signal.SIGKILL)
    worker.wait()
    service.start_worker("one")

    done = service.wait("interrupted", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (2, 1)


def test_a_vanished_workers_job_is_taken_over_by_a_worker_of_another_name(
    service: ToyService,
) -> None:
    worker = service.start_worker("one")
    service.ask("stranded", "count", steps=4, seconds=0.5)
    service.wait("stranded", lambda toy: toy.progress != "")

    worker.send_signal(signal.SIGKILL)
    worker.wait()
    service.start_worker("two")

    done = service.wait("stranded", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (2, 1)


def test_children_die_with_a_killed_worker(service: ToyService) -> None:
    worker = service.start_worker("one")
    service.ask("burning", "count", steps=1, seconds=3600)
    eventually(lambda: descendants(worker) != [], "a child")
    (child,) = worker.children()

    worker.send_signal(signal.SIGKILL)
    worker.wait()

    eventually(lambda: gone([child]), "dead with its worker", seconds=5)


def test_a_killed_child_fails_its_job_and_the_worker_lives_on(service: ToyService) -> None:
    worker = service.start_worker("one")
    service.ask("killed", "count", steps=60, seconds=0.5)
    service.wait("killed", lambda toy: toy.progress != "")

    for child in worker.children():
        child.kill()

    failed = service.wait("killed", lambda toy: toy.state == "failed")
    problem = json.loads(failed.problem or "")
    assert problem["type"] == "/problems/computation-died"
    assert problem["cause"] == "SIGKILL"
    assert "SIGKILL" in problem["detail"]
    service.ask("next", "add", a=1, b=1)
    service.wait("next", lambda toy: toy.state == "succeeded")
    assert worker.is_running()


def test_each_way_to_fail_is_a_problem_of_its_own(service: ToyService) -> None:
    service.start_worker("one", WASSAY_SOLVE_MEMORY_BYTES=str(2**30))
    failures = {
        "hog": ("out-of-memory", "1 GiB"),
        "refuse": ("refused", "expected a toy, came a fact"),
        "stumble": ("computation-failed", "ZeroDivisionError"),
        "die": ("computation-died", "SIGKILL"),
    }
    for function in failures:
        service.ask(function, function, bytes=2**31)

    for function, (slug, words) in failures.items():
        failed = service.wait(function, lambda toy: toy.state == "failed")
        problem = json.loads(failed.problem or "")
        assert problem["type"] == f"/problems/{slug}"
        assert words in problem["detail"]

    service.ask("small", "hog", bytes=2**20)
    service.wait("small", lambda toy: toy.state == "succeeded")


def test_a_child_is_warm_for_the_next_job(service: ToyService) -> None:
    service.start_worker("one", WASSAY_WORKER_CONCURRENCY="1")
    for number in range(5):
        service.ask(f"small {number}", "add", a=number, b=1)

    outputs = [
        json.loads(service.wait(f"small {n}", lambda toy: toy.output is not None).output or "")
        for n in range(5)
    ]

    assert [output["sum"] for output in outputs] == [1, 2, 3, 4, 5]
    assert len({output["pid"] for output in outputs}) == 1


def test_a_child_gets_its_threads_and_none_of_the_settings(service: ToyService) -> None:
    service.start_worker("one", WASSAY_SOLVE_THREADS="3")
    service.ask("chatty", "chatter")

    done = service.wait("chatty", lambda toy: toy.state == "succeeded")

    assert json.loads(done.output or "") == {"limits": ["3", False]}


def test_a_worker_told_to_stop_gives_its_job_back_and_leaves_no_process(
    service: ToyService,
) -> None:
    worker = service.start_worker("one")
    service.ask("given back", "count", steps=10, seconds=0.5)
    service.wait("given back", lambda toy: toy.progress != "")
    family = descendants(worker)

    worker.terminate()

    assert worker.wait(timeout=15) == 0
    assert gone(family)
    assert service.toy("given back").state == "waiting"
    with service.database.snapshot() as session:
        assert living_workers(session) == []
    service.start_worker("two")
    done = service.wait("given back", lambda toy: toy.state == "succeeded")
    assert done.publications == 1


def test_many_jobs_under_kills_all_succeed_and_are_published_once(service: ToyService) -> None:
    names = [f"job {number}" for number in range(20)]
    for number, name in enumerate(names):
        service.ask(name, "count", steps=1, seconds=0.1 + 0.01 * (number % 5))

    for done in (5, 10, 15):
        worker = service.start_worker("one")
        eventually(lambda done=done: succeeded(service) >= done, f"{done} jobs done")
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    service.start_worker("one")

    for name in names:
        assert service.wait(name, lambda toy: toy.state == "succeeded").publications == 1


def succeeded(service: ToyService) -> int:
    return sum(toy.state == "succeeded" for toy in toys(service.database))
