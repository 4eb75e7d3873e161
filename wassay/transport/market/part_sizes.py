"""Choose the number and the size of the random parts of the buyer's and of a seller's points."""

PARTS = 10
"""The number of parts of each side: of the buyer's points, and of the seller's."""
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


def estimated_point_pairs(one: int, other: int) -> int:
    """Estimate how many pairs of points `resample` compares for one seller.

    Parameters
    ----------
    one, other : int
        Number of points of each side.

    Returns
    -------
    int
    """
    return 2 * PARTS**2 * part_size(one, other) ** 2
