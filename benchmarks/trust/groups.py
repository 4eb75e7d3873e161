"""Show what audits read of facts in several fields and of columns on a curve.

`python -m benchmarks.trust.groups` also counts what the searches find by chance.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import datasets

from wassay import Measure, Recipe
from wassay.audit import Exposure, SellerMeasures, audit
from wassay.client.buyer.drawn_reference import draw_reference
from wassay.recipes import Number
from wassay.recipes.facts import facts_of
from wassay.reference_key import ReferenceKey
from wassay.table import table
from wassay.transport import project, scale_hiding
from wassay.transport.inversion import emptiest_cuts, least_gaussian_components, thin_planes

Array = NDArray[np.float64]

ROWS, DRAWS = 1_200, 3
CLOUDS = ("normal", "uniform", "exponential", "long tails")
SIZES = ((51, 2), (51, 10), (200, 5), (200, 40), (1_000, 12), (5_000, 40))
CHANCE_DRAWS = 4


def main() -> None:
    warnings.simplefilter("ignore")  # they say which fields determine each other
    print(table(("table (rows × fields)", "classes", "fields read"), list(map(row, TABLES))))
    print()
    header = ("cloud", *(f"{rows} × {columns}" for rows, columns in SIZES))
    print(table(header, [(kind, *(chance(kind, *size) for size in SIZES)) for kind in CLOUDS]))


def row(name: str) -> tuple[str, ...]:
    make, kinds = TABLES[name]
    classes: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    for seed in range(DRAWS):
        whole = make().sample(frac=1, random_state=seed).reset_index(drop=True)
        halves = [whole.iloc[rows] for rows in np.array_split(np.arange(len(whole)), 2)]
        # The buyer has one half, and the seller the other.
        recipe = Recipe.fit(halves[0], kinds=kinds)
        for half in halves:
            found = service_of(recipe.apply(half).points, half)
            classes[found.disclosure_class.value] += 1
            fields.update(found.columns.fields)
    return (
        f"{name} ({len(whole)} × {whole.shape[1]})",
        counted(classes),
        counted(fields) or "none",
    )


def counted(found: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.most_common())


def service_of(points: Array, frame: pd.DataFrame) -> Exposure:
    """Audit two pushes of the points, and return what the audit says of the service."""
    measure = Measure(points)
    key = ReferenceKey.draw(draw_reference(measure, 2), scale_hiding(measure))
    pushed = project(measure, key.reference.measure())
    sent = SellerMeasures({s: key.conceal(pushed.interpolate(s)) for s in (0.25, 0.75)})
    facts = facts_of(frame)
    found = audit(measure, sent, key.reference, isometry=key.conceal, facts=facts)
    return found.exposures[0]


def chance(kind: str, rows: int, columns: int) -> str:
    """Count the cuts and planes that the searches judge to be beyond chance, over all draws."""
    found = 0
    for seed in range(CHANCE_DRAWS):
        cloud = drawn(kind, rows, columns, np.random.default_rng(seed))[:2_000]
        components = least_gaussian_components(cloud)
        cuts = emptiest_cuts(cloud, components, cloud)
        found += sum(cut.beyond_chance for cut in cuts) + len(thin_planes(cloud, components, cloud))
    return str(found)


def drawn(kind: str, rows: int, columns: int, random: np.random.Generator) -> Array:
    normal = random.normal(size=(rows, columns))
    match kind:
        case "uniform":
            return random.uniform(size=(rows, columns))
        case "exponential":
            return random.exponential(size=(rows, columns))
        case "long tails":
            return np.asarray(normal / np.sqrt(random.chisquare(3, (rows, 1))))
        case _:
            return normal


def iris() -> pd.DataFrame:
    found = datasets.load_iris(as_frame=True)
    return found.data.assign(species=found.target_names[found.target])


def loans() -> pd.DataFrame:
    """Make loans: a flag, and two numbers that only flagged rows have."""
    random = np.random.default_rng(1)
    failed = random.random(ROWS) < 0.15
    return pd.DataFrame(
        {
            "age": random.integers(18, 80, ROWS),
            "income": np.exp(random.normal(10.5, 0.5, ROWS)).round(2),
            "loan": np.exp(random.normal(9, 0.8, ROWS)).round(2),
            "purpose": random.choice(["car", "home", "study", "other"], ROWS),
            "failed": failed,
            "amount": np.where(failed, np.exp(random.normal(8, 0.8, ROWS)).round(2), np.nan),
            "days_late": np.where(failed, random.integers(90, 700, ROWS), np.nan),
        }
    )


def clinic() -> pd.DataFrame:
    """Make patients, with three tests that two of five did not have."""
    random = np.random.default_rng(2)
    untested = random.random(ROWS) < 0.4
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 95, ROWS),
            "bmi": random.normal(26, 4, ROWS).round(1),
            "sex": random.choice(["f", "m"], ROWS),
            "smoker": random.random(ROWS) < 0.25,
        }
    )
    for name in TESTS:
        frame[name] = np.where(untested, np.nan, np.exp(random.normal(1, 0.3, ROWS)).round(2))
    return frame


def weather() -> pd.DataFrame:
    """Make weather, with sine and cosine of the hour and of the day of the year."""
    random = np.random.default_rng(3)
    hour, day = random.uniform(0, 2 * np.pi, (2, ROWS))
    warmth = 10 - 8 * np.cos(day) - 3 * np.cos(hour - 0.8) + random.normal(0, 4, ROWS)
    return pd.DataFrame(
        {
            "temperature": warmth.round(2),
            "wind": random.gamma(2, 2, ROWS).round(2),
            "load": (500 + 20 * warmth + random.normal(0, 60, ROWS)).round(1),
            "hour_sin": np.sin(hour),
            "hour_cos": np.cos(hour),
            "day_sin": np.sin(day),
            "day_cos": np.cos(day),
        }
    )


def hours() -> pd.DataFrame:
    """Make the same weather, with the hour and the day themselves."""
    whole = weather()
    names = ("hour", "day")
    angles = {name: np.arctan2(whole[f"{name}_sin"], whole[f"{name}_cos"]) for name in names}
    parts = [f"{name}_{part}" for name in names for part in ("sin", "cos")]
    return whole.drop(columns=parts).assign(**angles)


TESTS = ("hba1c", "ldl", "crp")
TABLES: Mapping[str, tuple[Callable[[], pd.DataFrame], Mapping[str, Number]]] = {
    "iris with species": (iris, {}),
    "iris without species": (lambda: iris().drop(columns="species"), {}),
    "loans": (loans, {}),
    "clinic": (clinic, {}),
    "clinic, three indicators": (clinic, {name: Number(missing="indicator") for name in TESTS}),
    "weather": (weather, {}),
    "weather, hours themselves": (hours, {}),
}

if __name__ == "__main__":
    main()
