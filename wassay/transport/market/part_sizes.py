"""Choose the number and the size of the random parts into which both sides are divided."""

PARTS = 10
"""The number of parts into which each side is divided."""
_LARGEST = 100
_SMALLEST = 2


def part_size(one: int, other: int) -> int:
    """Return the number of points in each part; 0 if a side has too few points.

    Parameters
    ----------
    one, other : int
        Number of points of each side.

    Returns
    -------
    int
    """
    size = min(one, other) // PARTS
    return min(size, _LARGEST) if size >= _SMALLEST else 0


def pairs_of_parts(one: int, other: int) -> int:
    """Estimate the total number of pairs of points in all transport problems between parts.

    Parameters
    ----------
    one, other : int
        Number of points of each side.

    Returns
    -------
    int
    """
    return 2 * PARTS**2 * part_size(one, other) ** 2
