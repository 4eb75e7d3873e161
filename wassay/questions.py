"""How many attributes of a dataset a number of distances reads."""

QUESTIONS_PER_PROJECTION = 15
"""Questions that read an attribute of every record to about a twentieth of its spread.

By confederates among the sellers, each gives the mean of the records between two quantiles of a
direction of the viewer's choice; as many as there are records give every value.
"""


def projections_read(questions: int, points: int, dimension: int) -> int:
    """Return how many directions a viewer can read the sorted values of all records in.

    With confederates who stand at two places, the differences between the costs of coalitions are
    the projections of a seller's records on the line through these places, ascending.

    Parameters
    ----------
    questions : int
        Number of distances without noise: one for each s of each coalition.
    points, dimension : int
        Number of records, and of their coordinates.

    Returns
    -------
    int
        At most `dimension`.
    """
    return min(questions // max(1, min(points, QUESTIONS_PER_PROJECTION)), dimension)
