"""Measure, over HTTP, what each party sends and computes in one round."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from benchmarks.paper.bars import Bars
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.report import Row
from benchmarks.paper.systems import timed
from tests.e2e.service import NewParty, parties, running_service
from tests.relay import Relay, run_relay
from wassay import Buyer, BuyerPrivacy, Client, Measure, Protocol, Request, Seller, SellerPrivacy
from wassay.models import Mode
from wassay.modes import MODES
from wassay.transport import fedwad

TITLE = "Cost of a round"
ABOUT = """
A buyer of 400 points and a seller of 500, in 64 dimensions; B = 3 values of s. The bytes that
each sends to a real service, through a relay that counts them, as numbers of 8 bytes: thousands,
with everything that HTTP adds, but without reading the result. *Numbers* is the count by the
formula. Seconds are processor seconds of that party, with all pushes, keys and calls, and without
the audit; FedWad's are of both parties, for 30 rounds with an ξ of 500 points.

The paper counts O((k + m + n) d) numbers for one distance with known t, and that is what is sent:
m d by the buyer and n d by the seller for each s. For the k d of γ we send a seed: the key that
the buyer seals to a seller has some 400 bytes whatever k and d are. For unknown t and one other
party the paper has that party solve, and send B distances, as mode `scalar` does. With several
sellers it has each send B cost matrices, B n m numbers, and its count leaves them out; where m is
larger than d, as here, that is the most expensive way, and pushed points take B n d. The paper
says that one round suffices where FedWad takes many: here a round of the default sends a
fourteenth of what 30 rounds of FedWad do. In mode `scalar` the seller sends the few numbers of
each s (here with their headers), and solves the problem itself. FedWad was not run over HTTP: its
thousands are the count.
"""
PICTURE = Bars(("way", "party"), ("numbers",), "numbers that are sent", logarithmic=True)

BUYER, SELLER, DIMENSION, SWEEP, ROUNDS = 400, 500, 64, (0.25, 0.5, 0.75), 30
NUMBER = 8
"""Bytes of a number."""


def run(inputs: Inputs) -> list[Row]:
    """Ask and answer in every mode through a relay that counts bytes, and run FedWad, too."""
    rng = np.random.default_rng(0)
    shrink = 10 if inputs.quick else 1
    needed = rng.normal(size=(BUYER // shrink, DIMENSION))
    offered = rng.normal(size=(SELLER // shrink, DIMENSION))
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(running_service(folder, {}))
        new = stack.enter_context(parties(service))
        relay = stack.enter_context(run_relay(CountingRelay(service.url)))
        for mode in ("measure", "cost-block", "scalar"):
            rows += _of_mode(mode, new, relay, needed, offered)
    run_of, took = timed(fedwad, Measure(needed), Measure(offered), rounds=ROUNDS)
    sent = sum(each.numbers_sent for each in run_of.rounds)
    counted = ROUNDS * (len(needed) + len(offered)) * DIMENSION
    rows.append(
        _row(f"FedWad, {ROUNDS} rounds", "both", "B (m + n) d", counted, sent * NUMBER, took)
    )
    return rows


class CountingRelay(Relay):
    """Counts the bytes that clients send."""

    sent = 0

    def look(self, line: socket.socket, piece: bytes) -> None:
        """Count the bytes of a piece."""
        del line
        self.sent += len(piece)


def _of_mode(
    mode: Mode, new: NewParty, relay: CountingRelay, needed: Points, offered: Points
) -> list[Row]:
    """Return the rows of buyer and seller in one mode."""
    reveals = MODES[mode].reveals_measure
    names = new("buyer", name=f"buyer {mode}"), new("seller", name=f"seller {mode}")
    with ExitStack() as stack:
        buyer, seller = (stack.enter_context(Client(relay.address, each.key)) for each in names)

        def ask() -> Request:
            return Buyer(buyer).ask(
                needed,
                title=mode,
                sellers=[names[1].account_id],
                privacy=BuyerPrivacy(reveals_measure=reveals, max_disclosure="exact"),
                protocol=Protocol(sweep=SWEEP, modes=[mode]),
            )

        with _counted(relay) as asked:
            request, asking = timed(ask)
        with _counted(relay) as answered:
            _, answering = timed(
                Seller(seller).answer,
                request.id,
                offered,
                mode=mode,
                privacy=SellerPrivacy(max_disclosure="exact"),
            )
    n, m, values = len(offered), len(needed), len(SWEEP)
    count, formula = {
        "measure": (values * n * DIMENSION, "B n d"),
        "cost-block": (values * n * m, "B n m"),
        "scalar": (2 * values + 2, "2 B + 2"),
    }[mode]
    return [
        _row(mode, "buyer", "m d", m * DIMENSION, asked[0], asking),
        _row(mode, "seller", formula, count, answered[0], answering),
    ]


def _row(way: str, party: str, formula: str, count: int, sent: int, seconds: float) -> Row:
    """Return a row, with bytes rounded to thousands of numbers: the size of headers varies."""
    return {
        "way": way,
        "party": party,
        "count": formula,
        "numbers": count,
        "thousands, over HTTP": round(sent / NUMBER / 1000),
        "seconds": seconds,
    }


@contextmanager
def _counted(relay: CountingRelay) -> Iterator[list[int]]:
    """Count the bytes that clients send while the block runs; the list has them afterwards."""
    before, found = relay.sent, [0]
    yield found
    found[0] = relay.sent - before
