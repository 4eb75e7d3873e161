"""`python -m benchmarks.sellers [SELLERS [ORDERS]]`: Shapley values of many sellers, and the time.

A service with its worker on loopback, a buyer of 200 points in 20 dimensions, and sellers of 50: of
seller i, 80 i/N per cent come from another place. The distance of every group that is sampled is
solved and certified by the service; what each seller adds is computed at t0 by the buyer's SDK.
"""

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from tests.e2e.service import parties, running_service
from wassay import Buyer, Request, Seller

NEEDED, OFFERED, DIMENSION, T0 = 200, 50, 20, 0.35


def main() -> None:
    count, orders = [*map(int, sys.argv[1:]), *(100, 50)[len(sys.argv) - 1 :]]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(running_service(folder, {"WASSAY_LOG_LEVEL": "WARNING"}))
        new = stack.enter_context(parties(service))
        began = time.perf_counter()
        random = np.random.default_rng(0)
        request = Buyer(new("buyer").client).ask(
            random.normal(size=(NEEDED, DIMENSION)), title="Many sellers", t0=T0
        )
        for number in range(count):
            seller = new("seller", name=f"{number:03}")
            request.invite(seller.account_id)
            Seller(seller.client).answer(request.id, offered(random, number / count))
        told(began, f"{count} sellers have answered")
        began = time.perf_counter()
        request.evaluate().wait()
        told(began, "alone, left out and together, with scores")
        measure(request, orders)


def measure(request: Request, orders: int) -> None:
    began = time.perf_counter()
    evaluation = request.evaluate(orders=orders).wait(progress=True)
    told(began, f"the groups of {orders} orders as well, asked for and solved")
    began = time.perf_counter()
    result = evaluation.result()
    told(began, f"the result of {len(result.document.groups)} more groups read")
    began = time.perf_counter()
    found = result.shapley()
    told(began, "the values computed of it")
    labels = {seller.contribution_id: seller.label for seller in result.document.sellers}
    values = sorted((labels[each], value) for each, value in found.values.items())
    worst = max(found.standard_errors.values())
    extent = np.ptp([value for _, value in values])
    ranks = spearmanr([-int(label) for label, _ in values], [value for _, value in values])
    print(
        f"largest standard error {worst / extent:.1%} of the range of the values; rank "
        f"correlation with what was done to the sellers {ranks.statistic:.3f}"
    )


def offered(random: np.random.Generator, share: float) -> NDArray[np.float64]:
    points = random.normal(size=(OFFERED, DIMENSION))
    points[: round(0.8 * share * OFFERED)] += 1.5
    return points


def told(began: float, what: str) -> None:
    print(f"{time.perf_counter() - began:7.1f} s  {what}", flush=True)


if __name__ == "__main__":
    main()
