"""The library's rows of jobs that ended long ago are deleted."""

from sqlalchemy import text

from tests.jobs.conftest import ToyService, enqueued, eventually


def test_jobs_that_ended_long_ago_are_deleted_and_recent_ones_kept(service: ToyService) -> None:
    for name in ("old", "young"):
        service.ask(name, "add", a=1, b=1)
    worker = service.start_worker("one")
    for name in ("old", "young"):
        service.wait(name, lambda toy: toy.state == "succeeded")
    eventually(lambda: service.taken() == {}, "both ended")
    worker.terminate()
    worker.wait()
    with service.database.transaction() as session:
        schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
        session.execute(
            text(
                f"UPDATE {schema}workflow_status SET completed_at = completed_at - :age "
                "WHERE workflow_uuid = 'old'"
            ),
            {"age": 8 * 24 * 3600 * 1000},
        )

    service.start_worker("two")

    eventually(lambda: enqueued(service) == ["young"], "the old one forgotten")
