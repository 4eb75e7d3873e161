"""A worker computes several jobs at a time, and stores their progress."""

from tests.jobs.conftest import ToyService, descendants, eventually


def test_progress_is_stored_while_a_job_runs_but_not_at_every_step(working: ToyService) -> None:
    service = working
    service.ask("long", "count", steps=30, seconds=0.1)

    running = service.wait("long", lambda toy: toy.progress != "")
    done = service.wait("long", lambda toy: toy.state == "succeeded")

    assert running.state == "running"
    seen = [int(step.split("/")[0]) for step in done.progress.split()]
    assert seen == sorted(set(seen))
    assert 1 < len(seen) < 30  # at most one a second


def test_jobs_run_at_the_same_time_up_to_the_workers_limit(service: ToyService) -> None:
    worker = service.start_worker("one", WASSAY_WORKER_CONCURRENCY="2")
    for name in ("first", "second", "third"):
        service.ask(name, "burn")

    service.wait("second", lambda toy: toy.state == "running")
    eventually(lambda: len(descendants(worker)) == 4, "two processes, each with a child")

    assert service.toy("first").state == "running"
    assert service.toy("third").state == "waiting"
