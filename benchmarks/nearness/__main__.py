"""Count right verdicts about chance: `python -m benchmarks.nearness [TRIALS]`.

The seller's rows are of the buyer's population, or of one whose first column has another mean or
spread.
"""

import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wassay.recipes import Recipe
from wassay.table import table
from wassay.transport import Measure, Nearness, Verdict, judge, resample

Floats = NDArray[np.float64]

SWEEP, T0 = (0.25, 0.5, 0.75), 0.4
KINDS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "normal": lambda random, shape: random.normal(size=shape),
    "heavy tails (t5)": lambda random, shape: random.standard_t(5, size=shape) / (5 / 3) ** 0.5,
    "0 or 1": lambda random, shape: (random.random(shape) < 0.3) / 0.21**0.5,
}
CASES = [
    *(("normal", rows, columns, False) for rows in (100, 300, 1000) for columns in (2, 5, 30)),
    ("heavy tails (t5)", 1000, 5, False),
    ("0 or 1", 1000, 5, False),
    ("heavy tails (t5)", 1000, 5, True),
]
CHANGES: dict[str, Callable[[Floats], Floats]] = {
    "same": lambda column: column,
    "shifted": lambda column: column + 0.5,
    "wider": lambda column: column.mean() + 1.5 * (column - column.mean()),
}


def main() -> None:
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rows = []
    for number, case in enumerate(CASES, 1):
        rows.append(_row(trials, *case))
        print(f"{number} of {len(CASES)}: {'  '.join(rows[-1])}", file=sys.stderr, flush=True)
    columns = (
        "data",
        "rows",
        "columns",
        "same: near",
        "different",
        "cannot tell",
        "shifted: different",
        "wider: different",
        "interval holds",
        "floor",
        "noticeable",
    )
    print(f"{trials} trials each; shares in per cent. Interval: of the shift by 0.5, nominally 90.")
    print(table(columns, rows))


def _row(trials: int, kind: str, rows: int, columns: int, with_recipe: bool) -> tuple[str, ...]:
    random = np.random.default_rng(0)
    found = {
        change: [_trial(random, kind, rows, columns, change, with_recipe) for _ in range(trials)]
        for change in CHANGES
    }
    counts = {change: Counter(each.verdict for each in found[change]) for change in CHANGES}

    def share(change: str, verdict: Verdict) -> str:
        return f"{100 * counts[change][verdict] / trials:.0f}"

    held = [low <= 0.5 <= high for low, high in (x.difference_interval for x in found["shifted"])]
    return (
        kind + (", recipe" if with_recipe else ""),
        str(rows),
        str(columns),
        share("same", "as-near-as-own"),
        share("same", "different"),
        share("same", "cannot-tell"),
        share("shifted", "different"),
        share("wider", "different"),
        "" if with_recipe else f"{100 * np.mean(held):.0f}",
        f"{np.mean([each.floor for each in found['same']]):.2f}",
        f"{np.mean([each.noticeable for each in found['same']]):.2f}",
    )


def _trial(
    random: np.random.Generator, kind: str, rows: int, columns: int, change: str, with_recipe: bool
) -> Nearness:
    buyer, seller = (KINDS[kind](random, (rows, columns)) for _ in range(2))
    seller[:, 0] = CHANGES[change](seller[:, 0])
    if with_recipe:
        recipe = Recipe.fit(_frame(buyer))
        buyer, seller = (recipe.apply(_frame(each)).points for each in (buyer, seller))
    place = np.full(columns, 10.0)
    pushed = Measure((1 - T0) * buyer + T0 * place)
    swept = {s: Measure((1 - s) * seller + s * place) for s in SWEEP}
    resampled = resample(pushed, swept, int(random.integers(2**32)))
    if resampled is None:
        raise ValueError(f"{rows} rows are too few")
    return judge(resampled, SWEEP, T0)


def _frame(points: Floats) -> dict[str, Floats]:
    return {f"column {number}": points[:, number] for number in range(points.shape[1])}


if __name__ == "__main__":
    main()
