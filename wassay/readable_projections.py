"""Count the directions along which a viewer can compute records' coordinates from distances."""

# A viewer with confederates among the sellers chooses a direction. Each question gives the mean of
# the records between two quantiles along it. This many questions give each record's value up to
# about a twentieth of the spread of all values.
QUESTIONS_PER_PROJECTION = 15
"""The number of questions that disclose the records' values along one direction."""


def projections_read(questions: int, points: int, dimension: int) -> int:
    """Return the number of directions along which distances disclose all records' coordinates.

    The viewer learns the coordinates in sorted order, but not the record that each belongs to.

    Parameters
    ----------
    questions : int
        The number of distances without noise: one for each s of each coalition.
    points, dimension : int
        The number of records, and the number of coordinates of each.

    Returns
    -------
    int
        At most `dimension`.
    """
    # A confederate of the viewer can contribute two distinct points. The differences between the
    # costs of coalitions then give a seller's records, projected on the line through these points,
    # in sorted order. A direction takes one distance for each record or, for approximate values,
    # `QUESTIONS_PER_PROJECTION` distances.
    return min(questions // max(1, min(points, QUESTIONS_PER_PROJECTION)), dimension)
