"""Run a buyer, four sellers and a real service on this machine: `python -m examples.digits`."""

import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from examples.digits import truth
from examples.digits.data import Parties, draw_parties
from examples.digits.processes import Processes
from examples.digits.service import open_accounts, start_service
from examples.digits.voice import speaker

OUTPUT = Path("demo-output")
REQUESTS = 3

HONESTLY = """
What the service saw: everybody's points only up to a secret rotation, reflection and translation,
that is, their distances. The key went from the buyer to each seller in a box for them alone.
What this does not hide: with that key, or with records known from elsewhere, the service could
compute everybody's raw points, and guess at them with other digits at hand; and sellers who send
cost blocks can compute the buyer's."""


def main() -> None:
    """Run the demo, and remove all processes and temporary files, however it ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    started = time.monotonic()
    OUTPUT.mkdir(exist_ok=True)
    print("\nWassay: which of four sellers has the digits 0–4 that a buyer needs?\n")
    parties = draw_parties()
    with tempfile.TemporaryDirectory(prefix="wassay-demo-") as name, Processes() as processes:
        folder = Path(name)
        say = speaker("service")
        address = start_service(processes, folder)
        say(f"{address}, one web process and one worker, SQLite")
        trade(processes, folder, address, parties)
        truth.report(parties, folder, OUTPUT)
    print(HONESTLY)
    print(f"\nAll in {time.monotonic() - started:.0f} s; pictures and result in {OUTPUT}/.\n")


def trade(processes: Processes, folder: Path, address: str, parties: Parties) -> None:
    """Run the buyer and the sellers, each with only its own points and its own key."""
    labels = list(parties.sellers)
    accounts = open_accounts(folder, address, {"buyer": "buyer", **dict.fromkeys(labels, "seller")})
    running = {}
    for number, (label, points) in enumerate(parties.sellers.items()):
        offered = folder / f"seller-{number}.npy"
        np.save(offered, points)
        files = [offered, truth.scores_file(folder, label), truth.rows_file(folder, label)]
        arguments = [label, *files, REQUESTS]
        running[label] = processes.start(
            python_module("examples.digits.seller", *arguments),
            environment=accounts[label].environment,
        )
    needed = folder / "buyer.npy"
    np.save(needed, parties.buyer)
    files = [needed, OUTPUT, truth.estimates_file(folder), truth.scores_file(folder, "buyer")]
    invited = [accounts[label].account_id for label in labels]
    running["buyer"] = processes.start(
        python_module("examples.digits.buyer", *files, *invited),
        environment=accounts["buyer"].environment,
    )
    processes.wait(running)


def python_module(name: str, *arguments: object) -> list[str]:
    """Return the command that runs a module with this Python."""
    return [sys.executable, "-m", name, *map(str, arguments)]


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted")
