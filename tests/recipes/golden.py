"""A recipe of every kind, and rows whose points have the same bits on every machine.

`python -m tests.recipes.golden` fits the recipe again, into `golden.recipe.json`, and prints the
digest that `test_recipe.py` expects.
"""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from wassay import Recipe
from wassay.recipes import Image, Number, Ordered, Text, Vector

FILE = Path(__file__).with_name("golden.recipe.json")
VECTORS = {"good": [1.0, 0.25], "bad": [-1.0, 0.5], "thing": [0.1, 1.0]}


def rows(count: int) -> dict[str, Any]:
    """Return columns of every kind, computed without random numbers."""
    row = np.arange(float(count))
    return {
        "age": (18 + row * 7 % 77).tolist(),
        "income": (row * row % 90_001 - 500).tolist(),
        "debt": (1 + row * 37 % 997).tolist(),
        "bmi": (10 + row * 13 % 301 / 10).tolist(),
        "height": (150 + row * 3.7 % 49).tolist(),
        "visits": [None if each % 6 == 0 else each % 11 for each in range(count)],
        "born": [f"19{20 + each % 80}-03-{1 + each % 28:02}" for each in range(count)],
        "member": [each % 3 == 0 for each in range(count)],
        "city": [["Bern", "Genf", "Chur", "Olten"][each * each % 7 % 4] for each in range(count)],
        "size": ["SML"[each % 3] for each in range(count)],
        "review": [["good thing", "bad bad thing", "good"][each % 3] for each in range(count)],
        "embedding": np.stack([row % 7 + 1, row % 5, row % 3 - 1], axis=1),
        "picture": (row[:, None, None] * np.arange(6.0).reshape(2, 3) % 256),
    }


def fitted() -> Recipe:
    """Fit the recipe on 240 rows."""
    return Recipe.fit(
        rows(240),
        kinds={
            "debt": Number(transform="log"),
            "bmi": Number(transform="robust"),
            "height": Number(transform="standard"),
            "born": "date",
            "size": Ordered(order=("S", "M", "L")),
            "review": Text(model="toy"),
            "embedding": Vector(normalised=True),
            "picture": Image(range=(0, 255)),
        },
        weights={"age": 2.0},
        vectors={"review": VECTORS},
        seed=1,
    )


def digest(recipe: Recipe) -> str:
    """Return the SHA-256 of the points to which the recipe converts 500 rows."""
    points = recipe.apply(rows(500), vectors={"review": VECTORS}, seed=11).points
    return hashlib.sha256(points.astype("<f8").tobytes()).hexdigest()


if __name__ == "__main__":
    fitted().save(FILE)
    print(digest(Recipe.load(FILE)))  # noqa: T201
