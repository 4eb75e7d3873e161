"""What only the demo can say, for it holds everybody's data: was the service right?"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import ot

from examples.digits.data import Parties, Points
from wassay import plot_scores

NOISY = "noisy 0–4"


def estimates_file(folder: Path) -> Path:
    """Where the buyer leaves its estimates."""
    return folder / "estimates.json"


def scores_file(folder: Path, number: int) -> Path:
    """Where a seller leaves its scores."""
    return folder / f"scores-{number}.npy"


def report(parties: Parties, folder: Path, output: Path) -> None:
    """Print the true distances beside the estimates, and how well the scores find the noise."""
    estimates = json.loads(estimates_file(folder).read_text())
    print("\nWhat nobody else can check: the raw data, by POT's exact solver\n")
    stacked = np.vstack(list(parties.sellers.values()))
    found = estimates["measure"]
    for seller in found["sellers"]:
        print_check(
            seller["label"], seller["alone"], parties.buyer, parties.sellers[seller["label"]]
        )
    print_check("all together", found["together"], parties.buyer, stacked)
    print_check("k = 20", estimates["paper"]["together"], parties.buyer, stacked)
    scores = np.load(scores_file(folder, list(parties.sellers).index(NOISY)))
    planted = parties.planted
    worst = np.argsort(scores)[-planted.sum() :]
    print(
        f"\nOf the {planted.sum()} worst-scored points of “{NOISY}”, {planted[worst].sum()} are "
        f"among the {planted.sum()} that were spoilt."
    )
    plot_scores(
        {"as they were": scores[~planted], "spoilt": scores[planted]}, output / "scores.png"
    )


def print_check(name: str, estimate: dict[str, Any], buyer: Points, seller: Points) -> None:
    """Print one estimate, its interval, and the truth."""
    true = true_distance(buyer, seller)
    low, high = estimate["interval"]
    verdict = "inside" if low <= true <= high else "OUTSIDE"
    print(
        f"  {name:<14} W2 = {true:.4f}   estimate {estimate['value']:.4f} "
        f"({estimate['value'] / true - 1:+.2%})   {verdict} [{low:.4f}, {high:.4f}]"
    )


def true_distance(buyer: Points, seller: Points) -> float:
    """Compute W2 of the raw points, every point weighing the same."""
    squared = ot.emd2([], [], ot.dist(buyer, seller), numItermax=10**8)
    return math.sqrt(squared)
