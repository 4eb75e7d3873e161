"""Check the service's results against the raw data of all parties, which only the demo has."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import ot
from numpy.typing import NDArray

from examples.digits.data import Parties, Points
from wassay import plot_scores
from wassay.table import table

NOISY = "noisy 0–4"
ROUNDING = 1e-9


def estimates_file(folder: Path) -> Path:
    """Return the path of the buyer's estimates."""
    return folder / "estimates.json"


def scores_file(folder: Path, party: str) -> Path:
    """Return the path of a party's scores at t0; for a seller, of its noisiest points."""
    return folder / f"scores of {party}.npy"


def rows_file(folder: Path, seller: str) -> Path:
    """Return the path of the row numbers that a seller's sent points have in its data."""
    return folder / f"rows of {seller}.npy"


def report(parties: Parties, folder: Path, output: Path) -> None:
    """Print the true distances beside the estimates, and how well the scores detect the noise."""
    print("\nWhat only this demo can check, for it holds everybody's data\n")
    print(distances(parties, json.loads(estimates_file(folder).read_text())))
    planted = parties.planted
    sent = np.load(rows_file(folder, NOISY))
    at_push = np.load(scores_file(folder, "buyer"))[np.argsort(sent)]
    noisiest = np.load(scores_file(folder, NOISY))
    print(
        f"\n{planted.sum()} points of “{NOISY}” were spoilt. Of its {planted.sum()} worst-scored,"
        f"\n  {found(planted, at_push)} are among them by the buyer's scores at t0; and of the "
        f"{len(noisiest)} that its seller is told"
        f"\n  are the noisiest, {planted[noisiest].sum()}."
    )
    plot_scores(
        {"as they were": at_push[~planted], "spoilt": at_push[planted]}, output / "scores.png"
    )


def distances(parties: Parties, estimates: dict[str, Any]) -> str:
    """Compare all estimates with the distances of the raw data."""
    stacked = np.vstack(list(parties.sellers.values()))
    exact = estimates["measure"]
    rows = [
        check(seller["label"], seller["singleton"], parties.buyer, parties.sellers[seller["label"]])
        for seller in exact["sellers"]
    ]
    rows.append(check("all together", exact["grand_coalition"], parties.buyer, stacked))
    blurred = estimates["paper"]["grand_coalition"]
    rows.append(check("all, 20-point reference", blurred, parties.buyer, stacked))
    return table(("seller", "true W2", "estimate", "error", "computed to within", "holds"), rows)


def check(name: str, estimate: dict[str, Any], buyer: Points, seller: Points) -> Sequence[str]:
    """Compare one estimate with the true distance."""
    true, value = true_distance(buyer, seller), estimate["value"]
    low, high = estimate["interval"]
    return (
        name,
        f"{true:.4f}",
        f"{value:.4f}",
        f"{value - true:+.0e}",
        f"[{low:.4f}, {high:.4f}]",
        "yes" if low - ROUNDING <= true <= high + ROUNDING else "NO",
    )


def true_distance(buyer: Points, seller: Points) -> float:
    """Compute W2 of the raw points with equal weights by POT's exact solver."""
    squared = ot.emd2([], [], ot.dist(buyer, seller), numItermax=10**8)
    return math.sqrt(squared)


def found(planted: NDArray[np.bool_], scores: Points) -> int:
    """Count the corrupted points among as many points with the worst scores."""
    worst = np.argsort(scores)[-planted.sum() :]
    return int(planted[worst].sum())
