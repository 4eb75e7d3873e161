"""Tables that tests of recipes share: of one population, shifted, and with wrong values."""

import numpy as np
import pandas as pd


def people(rows: int, seed: int, shift: float = 0.0) -> pd.DataFrame:
    """Draw ages in years, incomes in EUR and BMIs, moved by `shift` standard deviations."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": np.clip(random.normal(45 + 15 * shift, 15, rows), 18, 95).astype(int),
            "income": np.exp(random.normal(10.3 + 0.6 * shift, 0.6, rows)).round(),
            "bmi": random.normal(26 + 4 * shift, 4, rows).round(1),
        }
    )


def nonsense(rows: int, seed: int) -> pd.DataFrame:
    """Draw the same incomes, with ages near 400 and BMIs near −50."""
    random = np.random.default_rng(seed)
    return people(rows, seed).assign(
        age=random.integers(390, 410, rows), bmi=random.normal(-50, 1, rows)
    )
