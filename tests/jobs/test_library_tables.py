"""The tables of the job library."""

from app.jobs.library_tables import migrate
from tests.jobs.conftest import ToyService, enqueued


def test_migrating_the_queue_twice_keeps_its_jobs(service: ToyService) -> None:
    service.ask("kept", "add", a=1, b=1)

    migrate(service.settings)

    assert enqueued(service) == ["kept"]
