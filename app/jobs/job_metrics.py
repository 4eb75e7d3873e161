"""The metrics of a worker: its jobs, its solver processes, and whether it is in service."""

from collections.abc import Iterable

from prometheus_client import Counter, Gauge, Histogram

OUTCOMES = ("published", "failed", "dropped", "given back")

ended = Counter(
    "wassay_jobs",
    "Attempts at jobs that this worker has ended, by outcome and, for failures, by problem.",
    ["kind", "outcome", "problem"],
)
durations = Histogram(
    "wassay_job_duration_seconds",
    "Seconds that an attempt took, from getting a slot to publishing the outcome.",
    ["kind"],
    buckets=(0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3600.0),
)
running = Gauge("wassay_worker_jobs_running", "Jobs that this worker is computing or publishing.")
in_service = Gauge(
    "wassay_worker_in_service", "1 if this worker takes jobs, 0 if it is out of service."
)
deaths = Counter(
    "wassay_solver_process_deaths",
    "Solver processes of this worker that died, for example for lack of memory.",
)


def expect(kinds: Iterable[str]) -> None:
    """Create the counters for these kinds of jobs at zero, so that their first increase shows."""
    for kind in kinds:
        durations.labels(kind)
        for outcome in OUTCOMES:
            if outcome != "failed":  # a failure is counted under its problem
                ended.labels(kind, outcome, "")
