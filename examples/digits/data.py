"""The data of all parties: scikit-learn's digits, 8 × 8 pixels in [0, 1], each image only once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

SEED = 20250713
BUYER_POINTS = 150
SELLER_POINTS = 200
NOISY_SHARE = 0.15
NOISE = 0.4

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Parties:
    """The buyer's points, the sellers' by label, and the rows of `noisy` that are corrupted."""

    buyer: Points
    sellers: dict[str, Points]
    planted: NDArray[np.bool_]


def draw_parties() -> Parties:
    """Distribute the digits among the parties."""
    random = np.random.default_rng(SEED)
    digits = load_digits()
    images, classes = digits.data / 16, digits.target
    dealt = np.zeros(len(images), dtype=bool)

    def deal(wanted: range, count: int) -> Points:
        free = np.flatnonzero(np.isin(classes, wanted) & ~dealt)
        chosen = random.choice(free, count, replace=False)
        dealt[chosen] = True
        return np.asarray(images[chosen])

    buyer = deal(range(5), BUYER_POINTS)
    clean = deal(range(5), SELLER_POINTS)
    noisy = deal(range(5), SELLER_POINTS)
    planted = np.zeros(SELLER_POINTS, dtype=bool)
    spoilt = round(NOISY_SHARE * SELLER_POINTS)
    planted[random.choice(SELLER_POINTS, spoilt, replace=False)] = True
    noise = random.normal(0.0, NOISE, size=(spoilt, images.shape[1]))
    noisy[planted] = np.clip(noisy[planted] + noise, 0.0, 1.0)
    return Parties(
        buyer=buyer,
        sellers={
            "clean 0–4": clean,
            "noisy 0–4": noisy,
            "digits 3–7": deal(range(3, 8), SELLER_POINTS),
            "inverted 5–9": 1.0 - deal(range(5, 10), SELLER_POINTS),
        },
        planted=planted,
    )
