"""Count the columns that searches read of a recipe's points, with and without jitter.

`python -m benchmarks.trust.searches` attacks as the service, which knows no record.
"""

# The searches are for the most normal directions, and for planes that contain many rows, because a
# tenth of the values of the first column are missing.

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.trust.columns import audited, sealed
from wassay import Recipe
from wassay.table import table
from wassay.transport.inversion import crowded_planes, match_columns, most_normal_components

Array = NDArray[np.float64]

SIZES = ((400, 4), (640, 4), (1000, 5), (2000, 4))
DRAWS, SEARCHES = 3, 2
FOLLOWED, GAPS = 0.99, 0.1


def main() -> None:
    header = (
        "rows × columns",
        "most normal, without jitter",
        "with",
        "planes, without jitter",
        "with",
        "audit, without jitter",
        "with",
    )
    print(table(header, [row(rows, columns) for rows, columns in SIZES]))


def row(rows: int, columns: int) -> tuple[str, ...]:
    normal: dict[bool, list[str]] = {False: [], True: []}
    planes: dict[bool, list[str]] = {False: [], True: []}
    classes: dict[bool, list[str]] = {False: [], True: []}
    for seed in range(DRAWS):
        whole = drawn(rows, columns, seed)
        gaps = np.random.default_rng(seed).random(rows) < GAPS
        gappy = whole.assign(c0=whole["c0"].mask(gaps))
        for jitter in (False, True):
            points = fitted(whole, jitter=jitter)
            normal[jitter].append(str(read(whole, most_normal(sealed(points)))))
            classes[jitter].append(audited(points))
            points = fitted(gappy, jitter=jitter)
            planes[jitter].append(str(read(whole[["c0"]][~gaps], crowded(sealed(points))[~gaps])))
    return (
        f"{rows} × {columns}",
        *(", ".join(found[jitter]) for found in (normal, planes) for jitter in (False, True)),
        *(", ".join(dict.fromkeys(classes[jitter])) for jitter in (False, True)),
    )


def drawn(rows: int, columns: int, seed: int) -> pd.DataFrame:
    """Draw dependent columns: in turn log-normal, normal, and rounded to whole numbers."""
    random = np.random.default_rng(seed)
    mixture = 0.5 * random.normal(size=(columns, columns)) + 1.2 * np.eye(columns)
    values = random.normal(size=(rows, columns)) @ mixture
    values[:, ::3] = np.exp(values[:, ::3] / 2)
    values[:, 2::3] = np.exp(10 + 0.5 * values[:, 2::3] / values[:, 2::3].std(axis=0)).round()
    return pd.DataFrame(values, columns=[f"c{column}" for column in range(columns)])


def fitted(frame: pd.DataFrame, *, jitter: bool) -> Array:
    return Recipe.fit(frame, jitter=jitter, seed=1).apply(frame, seed=2).points


def most_normal(points: Array) -> Array:
    """Search for the most normal directions from as many random starts as `SEARCHES` audits."""
    none = np.empty((len(points), 0))
    return np.hstack([most_normal_components(points, none, seed) for seed in range(SEARCHES)])


def crowded(points: Array) -> Array:
    return crowded_planes(points, np.empty((len(points), 0)))


def read(frame: pd.DataFrame, found: Array) -> int:
    matches = match_columns(frame.to_numpy(), found)
    # A direction reads a column if it estimates the column with this rank correlation.
    return sum(each is not None and each.correlation > FOLLOWED for each in matches)


if __name__ == "__main__":
    main()
