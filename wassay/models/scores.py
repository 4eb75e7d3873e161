"""Scores of a party's points, and of their labels."""

from pydantic import Field

from wassay.models.base import Model
from wassay.tabular import Columns, Tabular


class LabelScores(Model):
    """Scores of the labels of one seller's points. A label with a high score is probably wrong.

    Each of the buyer's labels is predicted from the labels of the seller's 5 nearest points. The
    score of a seller's label is minus the Shapley value of its point for the accuracy of these
    predictions. If linear discriminants of the buyer's classes can be computed, the score is a
    weighted mean of two scores: nearest points are found in all coordinates, and along the
    discriminants.

    For a buyer, `values` has a row for each s of `sweep`, with a score for each point. `sweep` has
    many s between the ends of the request's sweep. `ranks` has the rank of each score, from 0 for
    the highest. `noisiest` has the numbers of the points with the highest scores, ascending. Points
    are numbered as they were sent. Fields that the reader may not see are null.

    `ranks` and `noisiest` come from the scores at one s: where the means of the buyer's and the
    seller's pushed points are nearest. For a seller, `values` has only the row of that s, and
    `sweep` is null, because the s is secret.
    """

    evaluation_id: str
    contribution_id: str
    sweep: list[float] | None
    values: list[list[float]] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="The points with the highest scores. Their number is a tenth of the effective "
        "number of points of the buyer or the seller, whichever is smaller, rounded down to 0, 1, "
        "2, 3, 5, 7, 10, 15, 20, 30, … Points of less than half the average weight are left out."
    )


class PointScores(Model, Tabular):
    """Scores of one party's points at one s (paper eq. 13, made independent of the solver).

    If more mass on a point raises the distance (noise), the point's score is positive. If more mass
    lowers the distance (value), the score is negative.

    If the reader named no s, `s` is null, and the service chose an s in the sweep's range: where
    the means of the buyer's and of all sellers' pushed points are nearest. If any contribution is a
    cost block, it is where the fitted distance of all sellers together is smallest. A reader who
    may not see scores gets ranks and `noisiest` only at this s.

    `spread` has the width of the range of values that each score could equally have; 0 if only one
    value is possible. `method` is `landmarks` if scores were computed from a few points that
    represent all others, and otherwise `exact`. `ranks` has the rank of each score, from 0 for the
    highest, noisiest score. `noisiest` has the numbers of the points with the highest scores,
    ascending. `method`, `values`, `spread` and `ranks` are null if the reader may not see them. The
    service numbers points as they were sent. The SDK numbers the caller's own points by rows of
    their table.
    """

    evaluation_id: str
    contribution_id: str | None
    s: float | None
    method: str | None
    values: list[float] | None
    spread: list[float] | None
    ranks: list[int] | None
    noisiest: list[int] = Field(
        description="The points with the highest scores. Their number is a tenth of the smallest "
        "party's effective number of points, rounded down to 0, 1, 2, 3, 5, 7, 10, 15, 20, 30, … "
        "The effective number is 1/Σp² for weights p, and equal points of the buyer count once. "
        "Points of less than half the average weight are left out."
    )

    __repr__ = Tabular.__repr__
    __str__ = Tabular.__str__

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each point that is disclosed.

        If neither scores nor ranks are disclosed, only the noisiest points are.

        Returns
        -------
        dict of str to list
        """
        if self.values is None and self.ranks is None:
            return {"row": list(self.noisiest)}
        size = len(self.values if self.values is not None else self.ranks or ())
        unknown = [None] * size
        return {
            "row": list(range(size)),
            "score": unknown if self.values is None else list(self.values),
            "spread": unknown if self.spread is None else list(self.spread),
            "rank": unknown if self.ranks is None else list(self.ranks),
        }
