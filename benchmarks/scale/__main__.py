"""Compare four machines with one: `python -m benchmarks.scale [SELLERS]` (as root, on Linux).

Workers run jobs that only wait, and then an evaluation of SELLERS sellers (0: none).
"""

# Each machine is a network namespace with a disk of its own. The speed of jobs that wait does not
# depend on the number of cores.

import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.installation import Installation
from tests.e2e.machines import on
from tests.e2e.processes import eventually
from tests.jobs.conftest import ToyService
from tests.jobs.toy import ToyBase, toys
from wassay import Request

SELLERS = 1000
SIZES = (1, 4)
JOBS = 64
JOB_SECONDS = 1.0
WAITING = (sys.executable, "-m", "tests.jobs.toy")


def main() -> None:
    sellers = int(sys.argv[1]) if len(sys.argv) > 1 else SELLERS
    waiting, computing = (
        [[f"{kind}-{size}-{place}" for place in range(size)] for size in SIZES]
        for kind in ("waits", "computes")
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything is taken down
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["WASSAY_PROFILE"] = str(folder / "profile.json")
        machines = Installation(
            stack, folder, [name for team in (*waiting, *computing) for name in team]
        )
        stack.enter_context(on("web"))
        compare(
            f"{JOBS} jobs that wait {JOB_SECONDS:g} s",
            [seconds_of_jobs(machines, team) for team in waiting],
        )
        if sellers:
            began = time.perf_counter()
            request = machines.request_of_many(sellers)
            print(f"{sellers} sellers have answered after {time.perf_counter() - began:.0f} s")
            compare(
                f"an evaluation of {sellers} sellers",
                [seconds_of_evaluation(machines, request, team) for team in computing],
            )


def compare(what: str, seconds: Sequence[float]) -> None:
    alone, together = seconds
    print(
        f"{what}: one worker {alone:.1f} s, four on machines of their own {together:.1f} s, "
        f"{alone / together:.2f} times as fast",
        flush=True,
    )


def seconds_of_jobs(machines: Installation, team: Sequence[str]) -> float:
    """Have a team of workers work off jobs that wait; return the seconds until all have ended."""
    workers = machines.start_workers(*team, program=WAITING)
    service = ToyService(machines.database_settings)
    ToyBase.metadata.create_all(service.database.engine)
    time.sleep(5)  # until their solver processes have loaded their libraries
    began = time.perf_counter()
    for number in range(JOBS):
        service.ask(f"{team[0]} {number}", "nap", seconds=JOB_SECONDS)
    eventually(
        lambda: all(toy.state == "succeeded" for toy in toys(service.database)), "all ended", 600
    )
    took = time.perf_counter() - began
    for worker in workers.values():
        worker.stop()
    service.close()
    return took


def seconds_of_evaluation(machines: Installation, request: Request, team: Sequence[str]) -> float:
    """Evaluate with a team of workers; return the seconds from the call to the result."""
    workers = machines.start_workers(*team)
    time.sleep(5)  # until their solver processes have loaded their libraries
    began = time.perf_counter()
    evaluation = request.evaluate().wait()
    took = time.perf_counter() - began
    if evaluation.refresh().attempts > 1:
        print(f"attempts: {evaluation.refresh().attempts}")
    for worker in workers.values():
        worker.stop()
    return took


if __name__ == "__main__":
    main()
