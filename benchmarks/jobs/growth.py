"""Print the bytes that an evaluation adds to the database, and the memory of an idle worker."""

from collections.abc import Sequence

import psutil
from sqlalchemy import create_engine, make_url, text


def stored_bytes(url: str) -> int:
    """Return the bytes of a service's database, including the job library's tables."""
    size = {
        "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        "postgresql": "SELECT pg_database_size(current_database())",
    }
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.scalar(text(size[make_url(url).get_backend_name()]))
    engine.dispose()
    return int(found or 0)


def worker_bytes(processes: Sequence[psutil.Process]) -> int:
    """Return the resident memory of a worker and its solver processes."""
    names = ("wassay.server.worker", "wassay.server.jobs.process_entry")
    return sum(
        each.memory_info().rss
        for each in processes
        if any(name in each.cmdline() for name in names)
    )
