"""Plot the scores of five clients by every method."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.bars import Bars
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.networks import drawn
from benchmarks.paper.report import Cell, Row
from benchmarks.paper.scoring import BY_DISTANCE, CASES, scored

TITLE = "Scores of five clients"
ABOUT = """
The clients of the section before at N = 5, one by one: means over its three seeds. Shapley values
of accuracy as shares of their sum; distances, and the Shapley values of −W, scaled to [0, 1] as
the paper does, 1 for the nearest. The paper shows such bars for CIFAR-10 without numbers.

Equal clients have equal exact values in the paper; here these are 0.17 to 0.22, and the scaled
distances only stretch chance to [0, 1]. With noise, distances fall from client 1 to client 5,
while exact values hardly move (0.16 to 0.22) and TMC values the noisiest client most (0.31), as
the paper says of all but MR, which here gives clients 3 to 5 more than 1 and 2. For clients who
lack classes, all methods but OR put the first client last.
"""
CLIENTS = 5
COLUMNS = [f"client {client + 1}" for client in range(CLIENTS)]
PICTURE = Bars(("method",), COLUMNS, "score", panels="case")


def run(inputs: Inputs) -> list[Row]:
    """Average the scores of every client in every case."""
    rows: list[Row] = []
    for case in CASES:
        found: dict[str, list[Points]] = {}
        for seed in range(1 if inputs.quick else 3):
            for method, (values, _) in scored(drawn(inputs, case, CLIENTS, seed)).items():
                found.setdefault(method, []).append(_scaled(method, values))
        for method, each in found.items():
            means = np.mean(each, axis=0).tolist()
            row: dict[str, Cell] = {"case": case, "method": method}
            rows.append(row | dict(zip(COLUMNS, means, strict=True)))
    return rows


def _scaled(method: str, values: Points) -> Points:
    least, width = (values.min(), np.ptp(values)) if method in BY_DISTANCE else (0, values.sum())
    return np.asarray((values - least) / width, dtype=np.float64)
