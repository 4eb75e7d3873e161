"""What a recipe may hold at most; checked before anything of this size is allocated."""

MOST_BYTES = 64 * 2**20
"""Bytes of a recipe's JSON."""

MOST_FIELDS = 2_000
MOST_QUANTILES = 100
MOST_CATEGORIES = 100
MOST_TEXT = 2_000
"""Characters of a name, a category or a description."""

MOST_DIMENSIONS = 8_192
"""Coordinates of a point."""

MOST_WHITENED = 512
"""Coordinates that are whitened together: the recipe holds a matrix of this size."""

MOST_ELEMENTS = 2**28
"""Numbers in one array: 2 GiB as float64."""

LARGEST = 1e100
"""The largest number, so that products do not overflow."""

FEWEST_ROWS = 20
"""Rows that a recipe is fitted on: with fewer, quantiles would tell single records."""

ROWS_A_QUANTILE = 10
"""Of each so many rows, one quantile is told."""

FEWEST_OF_A_CATEGORY = 5
"""Rows that a category must have to be told by name."""

MOST_CATEGORIES_FITTED = 50
"""Categories that get a corner each; the others share one."""
