"""Time Shapley values of many sellers: `python -m benchmarks.sellers [SELLERS [ERROR]]`.

ERROR is the standard error to reach, as a share of the values' range.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray
from scipy.stats import spearmanr

from tests.e2e.service import parties, running_service
from wassay import Buyer, Protocol, Request, Seller

NEEDED, OFFERED, DIMENSION, T0 = 100, 30, 20, 0.35


def main() -> None:
    asked = [*sys.argv[1:], *("100", "0.05")[len(sys.argv) - 1 :]]
    count, standard_error = int(asked[0]), float(asked[1])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(running_service(folder, {"WASSAY_LOG_LEVEL": "WARNING"}))
        new = stack.enter_context(parties(service))
        random = np.random.default_rng(0)
        with told(f"{count} sellers answer"):
            request = Buyer(new("buyer").client).ask(
                random.normal(size=(NEEDED, DIMENSION)),
                title="Many sellers",
                protocol=Protocol(t0=T0),
            )
            for number in range(count):
                seller = new("seller", name=f"{number:03}")
                request.invite(seller.account_id)
                Seller(seller.client).answer(request.id, offered(random, number / count))
        measure(request, standard_error)


def measure(request: Request, standard_error: float) -> None:
    with told("all together, each alone and each left out"):
        evaluation = request.evaluate().wait(progress=True)
    with told(f"Shapley values at t0 to {standard_error:.0%} of their range"):
        found = evaluation.shapley(standard_error=standard_error, progress=True)
    with told("they are computed again from what was solved"):
        evaluation.shapley(standard_error=standard_error)
    sellers = evaluation.result().document.sellers
    labels = {seller.contribution_id: int(seller.label) for seller in sellers}
    values = np.array([found.values[each] for each in labels])
    worst = max(found.standard_errors.values())
    rank = spearmanr([-label for label in labels.values()], values).statistic
    print(
        f"{found.permutations} permutations, ended by {found.ended_by}; largest standard error "
        f"{worst / np.ptp(values):.1%} of the range of the values; rank correlation with what was "
        f"done to the sellers {rank:.3f}"
    )


def offered(random: np.random.Generator, share: float) -> NDArray[np.float64]:
    points = random.normal(size=(OFFERED, DIMENSION))
    # Of the i-th of N sellers, 80·i/N per cent of the points have a shifted mean.
    points[: round(0.8 * share * OFFERED)] += 1.5
    return points


@contextmanager
def told(what: str) -> Iterator[None]:
    """Print the wall-clock time and the processor time that the block takes."""
    began, before = time.perf_counter(), processor_seconds()
    yield
    took, worked = time.perf_counter() - began, processor_seconds() - before
    print(f"{took:7.1f} s, of processors {worked:7.1f} s: {what}", flush=True)


def processor_seconds() -> float:
    """Sum the processor time of this process, the service, its workers and their ended children."""
    mine = psutil.Process()
    spent = [each.cpu_times() for each in (mine, *mine.children(recursive=True))]
    return sum(sum(each[:4]) for each in spent)


if __name__ == "__main__":
    main()
