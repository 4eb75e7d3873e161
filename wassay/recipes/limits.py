"""Limits on the size of recipes, and on what recipes reveal about rows."""

MOST_BYTES = 64 * 2**20
"""The most bytes of a recipe's JSON."""

MOST_FIELDS = 2_000
MOST_QUANTILES = 100
MOST_CATEGORIES = 100
MOST_CLASSES = 1_000
MOST_TEXT = 2_000
"""The most characters of a name, a category or a description."""

MOST_DIMENSIONS = 8_192
"""The most coordinates of a point."""

MOST_WHITENED = 512
"""The most coordinates that are whitened together: the recipe holds their square matrix."""

MOST_ELEMENTS = 2**28
"""The most numbers in one array: 2 GiB as float64."""

LARGEST = 1e100
"""The largest absolute value of a number, so that products do not overflow."""

FEWEST_ROWS = 20
"""The fewest rows to fit a recipe on: quantiles of fewer would reveal single records."""

ROWS_A_QUANTILE = 10
"""The fewest rows for each quantile that a recipe holds."""

FEWEST_OF_A_CATEGORY = 5
"""The fewest rows of a category that a recipe names."""

MOST_CATEGORIES_FITTED = 50
"""The most categories with a corner of their own in the simplex; all others share one more."""

MOST_WEIGHT = 1e6
"""The largest weight of a field."""
