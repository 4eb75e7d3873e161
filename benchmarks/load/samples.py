"""Sample what should not grow under load: memory, connections, files, bytes per evaluation."""

from collections.abc import Sequence
from contextlib import suppress

import psutil
from sqlalchemy import Engine, text

QUEUE = "SELECT count(*) FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')"
COUNTS = {
    "connections of Postgres": "SELECT count(*) FROM pg_stat_activity WHERE datname IS NOT NULL",
    "waiting and running jobs": QUEUE,
    "rows of workers": "SELECT count(*) FROM workers",
    "succeeded evaluations": "SELECT count(*) FROM evaluations WHERE state = 'succeeded'",
    "failed evaluations": "SELECT count(*) FROM evaluations WHERE state = 'failed'",
    "KiB of the database": "SELECT pg_database_size(current_database()) / 1024",
    "dead rows, thousands": "SELECT sum(n_dead_tup) / 1000 FROM pg_stat_user_tables",
}
Sample = dict[str, float]


def sample(engine: Engine, web: psutil.Process, workers: Sequence[psutil.Process]) -> Sample:
    """Measure the web process, the workers with their solver processes, and the database."""
    found: Sample = {
        "MiB of the web process": _mebibytes([web]),
        "files of the web process": web.num_fds(),
        "MiB of the workers": _mebibytes(workers),
        "processes of the workers": float(sum(1 + len(each.children()) for each in workers)),
    }
    with engine.connect() as connection:
        for name, query in COUNTS.items():
            found[name] = float(connection.scalar(text(query)) or 0)
    return found


def _mebibytes(processes: Sequence[psutil.Process]) -> float:
    total = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            for each in (process, *process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    total += each.memory_info().rss
    return total / 2**20
