"""Measure how much of a core each process of an idle service uses."""

import time
from collections.abc import Sequence

import psutil
from sqlalchemy import create_engine, make_url, text

IDLE_SECONDS = 60


def measure_idle(kind: str, url: str, processes: Sequence[psutil.Process]) -> None:
    groups: dict[str, list[psutil.Process]] = {}
    for each in processes:
        groups.setdefault(name_of(each), []).append(each)
    if servers := servers_of(url):
        groups["the database server"] = servers
    before = {name: processor_seconds(each) for name, each in groups.items()}
    time.sleep(IDLE_SECONDS)
    for name, group in groups.items():
        used = processor_seconds(group) - before[name]
        print(f"{kind}, idle for {IDLE_SECONDS} s: {name}: {100 * used / IDLE_SECONDS:.2f} %")


def processor_seconds(processes: Sequence[psutil.Process]) -> float:
    """Return the processor seconds of processes so far, in their own code and in the kernel."""
    times = [each.cpu_times() for each in processes if each.is_running()]
    return sum(each.user + each.system for each in times)


def name_of(process: psutil.Process) -> str:
    arguments = process.cmdline()
    if "wassay.server.worker" in arguments:
        return "the worker"
    if "wassay.server.jobs.process_entry" in arguments:
        return "the solver processes"
    return "the web process"


def servers_of(url: str) -> list[psutil.Process]:
    """Return the processes of a Postgres server on this machine; none for SQLite."""
    if make_url(url).get_backend_name() == "sqlite":
        return []
    engine = create_engine(url)
    with engine.connect() as connection:
        own = connection.scalar(text("SELECT pg_backend_pid()"))
        pids = connection.scalars(text("SELECT pid FROM pg_stat_activity")).all()
    engine.dispose()
    return [psutil.Process(pid) for pid in pids if pid != own]
