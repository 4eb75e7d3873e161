"""How many random parts two sides are divided into, and how many points the parts have."""

PARTS = 10
"""The number of parts that each side is divided into."""
_LARGEST = 100
_SMALLEST = 2


def part_size(one: int, other: int) -> int:
    """Return how many points each part has, given the points of both sides; 0 if they are too few.

    Parameters
    ----------
    one, other : int

    Returns
    -------
    int
    """
    size = min(one, other) // PARTS
    return min(size, _LARGEST) if size >= _SMALLEST else 0


def pairs_of_parts(one: int, other: int) -> int:
    """Return about how many pairs of points the problems between all parts have together.

    Parameters
    ----------
    one, other : int
        The points of the two sides.

    Returns
    -------
    int
    """
    return 2 * PARTS**2 * part_size(one, other) ** 2
