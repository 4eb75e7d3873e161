"""Compute how many attributes of a dataset can be read from a number of distances."""

QUESTIONS_PER_PROJECTION = 15
"""Number of questions that disclose an attribute of every record to a twentieth of its spread.

With confederates among the sellers, each question gives the mean of the records between two
quantiles along a direction that the viewer chose; as many questions as records give every value.
"""


def projections_read(questions: int, points: int, dimension: int) -> int:
    """Return in how many directions a viewer can read the sorted values of all records.

    If a confederate of the viewer contributes two distinct points, the costs of coalitions differ
    by the sorted projections of a seller's records on the line through these points.

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
