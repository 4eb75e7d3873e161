"""What a worker counts of its jobs, its solver processes, and its state."""

from collections.abc import Iterable

from prometheus_client import Counter, Gauge, Histogram

OUTCOMES = ("published", "failed", "dropped", "given back")

ended = Counter(
    "wassay_jobs",
    "Attempts at jobs that this worker has ended, by outcome and, if they failed, by problem.",
    ["kind", "outcome", "problem"],
)
durations = Histogram(
    "wassay_job_duration_seconds",
    "Seconds of an attempt, from the slot to the publication.",
    ["kind"],
    buckets=(0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3600.0),
)
running = Gauge("wassay_worker_jobs_running", "Jobs that this worker computes or publishes.")
in_service = Gauge("wassay_worker_in_service", "Whether this worker takes jobs.")
deaths = Counter(
    "wassay_solver_process_deaths",
    "Solver processes of this worker that ended by themselves, such as out of memory.",
)


def expect(kinds: Iterable[str]) -> None:
    """Expose the counters of these kinds of jobs at zero, so that their first increase shows."""
    for kind in kinds:
        durations.labels(kind)
        for outcome in OUTCOMES:
            if outcome != "failed":
                ended.labels(kind, outcome, "")
