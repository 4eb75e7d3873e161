"""Count the columns that a receiver of rotated points reads, with and without a recipe.

`python -m benchmarks.trust.recipes [CSV …]` counts for the files; without any, for usual tables.
"""

# The attacks are those of `benchmarks.trust.columns`, on both halves of a table; the recipe is
# fitted on one.

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn import datasets
from sklearn.metrics import roc_auc_score

from benchmarks.trust.columns import attacked, read
from wassay import Recipe
from wassay.recipes import Number
from wassay.table import table
from wassay.transport import scores, solve

Array = NDArray[np.float64]

SEED = 7
DRAWS, MOST_ROWS = 3, 500
MOST_FILE_ROWS = 2_000
PLANTED_IN = ("breast_cancer", "wine", "diabetes", "mixed", "mixed, with types")


def main() -> None:
    files = sys.argv[1:]
    header = ("table: share read, buyer / seller", *RECIPES)
    print(table(header, list(shares_read(map(of_file, files) if files else tables()))))
    if files:
        return
    print()
    print(table(("jitter", "best AUC of a category"), list(categories())))
    print()
    print(table(("AUC of planted noise", *FINDING), list(planted(noise_found))))
    print()
    print(table(("AUC of copies of the buyer's rows", *FINDING), list(planted(copies_found))))
    print()
    print(table(("AUC of repeats of own rows", *FINDING), list(planted(repeats_found))))


def shares_read(tables: Iterable[tuple[str, pd.DataFrame]]) -> Iterator[tuple[str, ...]]:
    """Yield, for each table, the share of columns that attacks read of each side, by recipe."""
    for name, frame in tables:
        order = np.random.default_rng(SEED).permutation(len(frame))
        halves = [frame.iloc[each].reset_index(drop=True) for each in np.array_split(order, 2)]
        shares = [
            [read_share(half, points(halves[0], half)) for half in halves]
            for points in RECIPES.values()
        ]
        yield (
            f"{name} ({len(frame)} × {frame.shape[1]})",
            *(f"{buyer:.2f} / {seller:.2f}" for buyer, seller in shares),
        )


def of_file(path: str) -> tuple[str, pd.DataFrame]:
    """Read the numeric columns of a file, without rows that lack a value."""
    frame = pd.read_csv(path).select_dtypes("number").dropna()
    frame = frame.sample(min(len(frame), MOST_FILE_ROWS), random_state=SEED)
    return Path(path).stem, frame.loc[:, frame.nunique() > 1].astype(float)


def tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield tables that scikit-learn ships, and one of mixed types."""
    for name in ("breast_cancer", "wine", "iris", "diabetes", "digits"):
        frame = getattr(datasets, f"load_{name}")(as_frame=True).data
        yield name, frame.loc[:, frame.nunique() > 1].astype(float)
    yield "mixed", mixed(2_000)


def mixed(rows: int) -> pd.DataFrame:
    """Make a table of customers: amounts, counts, dates and flags."""
    random = np.random.default_rng(SEED)
    age = np.clip(random.normal(45, 15, rows), 18, 95).round()
    return pd.DataFrame(
        {
            "age": age,
            "income": np.exp(random.normal(10, 0.5, rows) + age / 100).round(-1),
            "bmi": random.normal(26, 4, rows).round(1),
            "visits": random.poisson(2.5, rows).astype(float),
            "spent": np.where(random.random(rows) < 0.4, 0.0, random.gamma(1.5, 80, rows)).round(2),
            "since": random.integers(15_000, 20_000, rows).astype(float),
            "score": random.uniform(0, 1, rows),
            "member": (random.random(rows) < 0.4).astype(float),
            "smoker": (random.random(rows) < 0.2).astype(float),
            "debt": random.standard_t(3, rows).round(2),
        }
    )


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the mixed table with booleans, a date, a category and missing values."""
    random = np.random.default_rng(SEED)
    return frame.assign(
        member=frame["member"] == 1,
        smoker=frame["smoker"] == 1,
        since=pd.to_datetime(frame["since"], unit="D"),
        city=random.choice(list("abcde"), len(frame), p=[0.5, 0.2, 0.15, 0.1, 0.05]),
        visits=frame["visits"].where(random.random(len(frame)) > 0.1),
    )


def numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert a table as by hand: a column for each category, and means for missing values."""
    for name in frame.select_dtypes("datetime"):
        frame = frame.assign(**{name: (frame[name] - pd.Timestamp(0)).dt.days})
    frame = pd.get_dummies(frame).astype(float)
    return frame.fillna(frame.mean())


def own_units(buyer: pd.DataFrame, frame: pd.DataFrame) -> Array:
    return np.asarray(numbers(frame))


def standardised(buyer: pd.DataFrame, frame: pd.DataFrame) -> Array:
    known = numbers(buyer)
    return np.asarray((numbers(frame)[list(known)] - known.mean()) / known.std())


def by_recipe(*, jitter: bool, whiten: bool) -> Callable[[pd.DataFrame, pd.DataFrame], Array]:
    def points(buyer: pd.DataFrame, frame: pd.DataFrame) -> Array:
        kinds = {name: Number() for name in buyer.select_dtypes(float)}
        recipe = Recipe.fit(buyer, kinds=kinds, jitter=jitter, whiten=whiten, seed=SEED)
        return recipe.apply(frame, seed=SEED + 1).points

    return points


RECIPES: dict[str, Callable[[pd.DataFrame, pd.DataFrame], Array]] = {
    "own units": own_units,
    "standardised": standardised,
    "scores": by_recipe(jitter=False, whiten=False),
    "+ jitter": by_recipe(jitter=True, whiten=False),
    "+ whitening (default)": by_recipe(jitter=True, whiten=True),
}

FINDING = {
    "own units": own_units,
    "standardised": standardised,
    "default": RECIPES["+ whitening (default)"],
    "default without jitter": by_recipe(jitter=False, whiten=True),
}


def read_share(frame: pd.DataFrame, points: Array) -> float:
    """Return the share of columns that the attacks read from the sealed points."""
    follows, _ = read(frame.to_numpy(dtype=float), components(points))
    return float(follows.mean())


def components(points: Array) -> Array:
    """Return all estimates that the audit's attacks on sealed points take for columns."""
    return np.hstack(list(attacked(points).values()))


def planted(found: Callable[..., float]) -> Iterator[tuple[str, ...]]:
    """Change a tenth of a seller's rows; yield how well these are found, by form of the points."""
    for name, frame in (*tables(), ("mixed, with types", typed(mixed(2_000)))):
        if name not in PLANTED_IN:
            continue
        shown = []
        for points in FINDING.values():
            draws = []
            for seed in range(DRAWS):
                random = np.random.default_rng(seed)
                order = random.permutation(len(frame))[:MOST_ROWS]
                buyer, seller = (frame.iloc[half] for half in np.array_split(order, 2))
                rows = np.arange(len(seller)) < len(seller) // 10
                draws.append(found(points, buyer, seller, rows, random))
            shown.append(f"{np.mean(draws):.2f}")
        yield (name, *shown)


def noise_found(
    points: Callable[[pd.DataFrame, pd.DataFrame], Array],
    buyer: pd.DataFrame,
    seller: pd.DataFrame,
    rows: NDArray[np.bool_],
    random: np.random.Generator,
) -> float:
    """Return the AUC of scores for rows to which a standard deviation of noise is added."""
    for name in seller.select_dtypes(float):
        noise = random.normal(size=len(seller)) * seller[name].std()
        seller = seller.assign(**{name: seller[name] + noise * rows})
    cost = cdist(points(buyer, buyer), points(buyer, seller), "sqeuclidean")
    weights = [np.full(size, 1 / size) for size in cost.shape]
    _, scored = scores(cost, solve(cost, *weights))
    return float(roc_auc_score(rows, scored.values))


def copies_found(
    points: Callable[[pd.DataFrame, pd.DataFrame], Array],
    buyer: pd.DataFrame,
    seller: pd.DataFrame,
    rows: NDArray[np.bool_],
    random: np.random.Generator,
) -> float:
    """Return the AUC of the distance to the buyer's nearest point, for rows that are copies."""
    copied = random.choice(len(buyer), rows.sum(), replace=False)
    seller = pd.concat([buyer.iloc[copied], seller[~rows]])
    nearest = cdist(points(buyer, seller), points(buyer, buyer)).min(axis=1)
    return float(roc_auc_score(rows, -nearest))


def repeats_found(
    points: Callable[[pd.DataFrame, pd.DataFrame], Array],
    buyer: pd.DataFrame,
    seller: pd.DataFrame,
    rows: NDArray[np.bool_],
    random: np.random.Generator,
) -> float:
    """Return the AUC of the distance to the nearest other point, for rows that are repeated."""
    copied = random.choice(np.flatnonzero(~rows), rows.sum(), replace=False)
    seller = pd.concat([seller.iloc[copied], seller[~rows]])
    distances = cdist(points(buyer, seller), points(buyer, seller))
    np.fill_diagonal(distances, np.inf)
    repeats = seller.duplicated(keep=False)
    return float(roc_auc_score(repeats, -distances.min(axis=1)))


def categories() -> Iterator[tuple[str, str]]:
    """Yield the best AUC with which a component tells one category's rows from the others."""
    random = np.random.default_rng(SEED)
    frame = mixed(2_000)
    frame["city"] = random.choice(list("abcde"), len(frame), p=[0.5, 0.2, 0.15, 0.1, 0.05])
    for jitter in (False, True):
        recipe = Recipe.fit(frame, jitter=jitter, seed=SEED)
        found = components(recipe.apply(frame, seed=SEED + 1).points)
        best = max(
            (
                abs(roc_auc_score(frame["city"] == city, component) - 0.5) + 0.5
                for city in "abcde"
                for component in found.T
            ),
            default=0.5,
        )
        yield "with" if jitter else "without", f"{best:.2f}"


if __name__ == "__main__":
    main()
