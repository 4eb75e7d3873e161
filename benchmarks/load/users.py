"""Simulate buyers and sellers who use all parts of the service until they are told to stop."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np

from wassay import Buyer, Client, Seller
from wassay.client import WassayError

POINTS, COLUMNS = 200, 4
PATIENCE_SECONDS = 300
KEPT_REQUESTS = 5
"""A buyer deletes the measures of all requests but this many latest ones."""


@dataclass
class Calls:
    """How long calls took, by kind, and which failed."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, kind: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        except Exception as error:
            self.failures.append(f"{kind}: {type(error).__name__}: {error}")
            raise
        finally:
            self.seconds[kind].append(time.monotonic() - began)


@dataclass(frozen=True)
class Pair:
    """A buyer and a seller who deal with each other."""

    buyer: Client
    seller: Client
    seller_id: str
    calls: Calls

    def deal(self, stopping: threading.Event, seed: int) -> None:
        """Ask, answer, evaluate and read until the event is set."""
        random = np.random.default_rng(seed)
        open_requests: list[Callable[[], None]] = []
        while not stopping.is_set():
            with suppress(WassayError):  # counted; the next round begins anew
                self._round(random, open_requests)

    def _round(self, random: np.random.Generator, open_requests: list[Callable[[], None]]) -> None:
        timed = self.calls.timed
        with timed("ask"):
            request = Buyer(self.buyer).ask(
                random.normal(size=(POINTS, COLUMNS)), title="Load", sellers=[self.seller_id]
            )
        with timed("publish and search listings"):
            self.seller.listings.create(title="Load", dimension=COLUMNS, points=POINTS)
            next(iter(self.buyer.listings.search("Load")), None)
        with timed("answer"):
            Seller(self.seller).answer(request.id, random.normal(0.3, 1, (POINTS, COLUMNS)))
        for _ in range(2):
            with timed("evaluate and wait"):
                evaluation = request.evaluate().wait(timeout=PATIENCE_SECONDS)
            with timed("read result, receipt and ledger"):
                evaluation.result()
                evaluation.receipt()
                self.seller.disclosures.ledger()
        with timed("read lists"):
            list(self.buyer.requests.list())
            request.contributions()

        def forget() -> None:
            with timed("close and delete"):
                request.close()
                request.delete_measure()

        open_requests.append(forget)
        if len(open_requests) > KEPT_REQUESTS:
            open_requests.pop(0)()
