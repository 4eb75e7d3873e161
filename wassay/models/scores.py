"""Scores of a party's points, and of their labels."""

from pydantic import Field

from wassay.models.base import Model
from wassay.tabular import Columns, Tabular

RANKS = "The rank of each score, from 0 for the highest."
ROUNDED_DOWN = (
    "rounded down to 0, 1, 2, 3, 5, 7, 10, 15, 20, 30, … Points of less than half the average "
    "weight are left out."
)


class LabelScores(Model):
    """Scores of the labels of one seller's points. A label with a high score is probably wrong.

    A score is minus the Shapley value of a point for predicting the buyer's labels from the
    seller's nearest points. Points are numbered as they were sent. Fields that the reader may not
    see are null.
    """

    evaluation_id: str
    contribution_id: str
    sweep: list[float] | None = Field(
        description="Many s between the ends of the request's sweep. Null for a seller, because "
        "the s of the seller's scores is secret."
    )
    values: list[list[float]] | None = Field(
        description="For a buyer, a row for each s of `sweep`, with the score of each label. For a "
        "seller, only the row of the s that gives the ranks."
    )
    ranks: list[int] | None = Field(
        description=f"{RANKS} Ranks and `worst` are from one s: where the means of the buyer's and "
        "the seller's pushed points are nearest."
    )
    worst: list[int] = Field(
        description="The points whose labels have the highest scores, ascending. Their number is a "
        "tenth of the effective number of points of the buyer or the seller, whichever is smaller, "
        f"{ROUNDED_DOWN}"
    )


class PointScores(Model, Tabular):
    """Scores of one party's points at one s (paper eq. 13, made independent of the solver).

    The service numbers points as they were sent; the SDK numbers the caller's own points by rows of
    their table. Fields that the reader may not see are null.
    """

    evaluation_id: str
    contribution_id: str | None = Field(
        description="The contribution whose points are scored. Null for the buyer's points."
    )
    s: float | None = Field(
        description="The s that the reader named. Null if the service chose one in the sweep's "
        "range: where the means of the buyer's and of all sellers' pushed points are nearest. With "
        "cost blocks, it chooses where the fitted distance of all sellers together is smallest."
    )
    method: str | None = Field(
        description="`landmarks` if scores were computed from a few points that represent all "
        "others; otherwise `exact`."
    )
    values: list[float] | None = Field(
        description="The score of each point: positive if more mass on the point raises the "
        "distance (noise), negative if more mass lowers it (value)."
    )
    spread: list[float] | None = Field(
        description="The width of the range of values that each score could equally have. 0 if "
        "only one value is possible."
    )
    ranks: list[int] | None = Field(description=RANKS)
    noisiest: list[int] = Field(
        description="The points with the highest scores, ascending. Their number is a tenth of the "
        "smallest party's effective number of points (1/Σp² for weights p; equal points of the "
        f"buyer count once), {ROUNDED_DOWN}"
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
