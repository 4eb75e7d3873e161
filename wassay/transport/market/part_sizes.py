"""Choose how many random parts the two sides are divided into, and how many points each part
has.
"""

PARTS = 10
"""The number of parts that each side is divided into."""
_LARGEST = 100
_SMALLEST = 2


def part_size(one: int, other: int) -> int:
    """Return how many points each part has, given the sizes of both sides; 0 if too few.

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
    """Estimate the number of pairs of points in all problems between parts, summed up.

    Parameters
    ----------
    one, other : int
        Number of points of each side.

    Returns
    -------
    int
    """
    return 2 * PARTS**2 * part_size(one, other) ** 2
