"""A buyer's limits on what others may compute about their points."""

from dataclasses import dataclass

from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_count, as_positive
from wassay.client.shared.disclosure_check import disclosure_limit
from wassay.disclosure_class import DisclosureClass


@dataclass(frozen=True)
class BuyerPrivacy:
    """Limits on what the service and the sellers may learn about a buyer's points.

    Parameters
    ----------
    sealed : bool
        Hide the reference's seed and a random isometry from the service, so that it sees points up
        to an isometry only. If False, the service gets the seed and can compute the raw points of
        every party.
    reveals_measure : bool
        Let accepted sellers download η_μ(t0), which the modes ``'cost-block'`` and ``'scalar'``
        need. Sellers know the reference, so they can compute the raw points from it.
    reveals_scores : bool
        Let sellers read the exact scores of their own points if all other sellers of the
        evaluation disclose scores. A seller with about d + 1 points for each point of the buyer
        can compute η_μ(t0) from them. If False, sellers read only which of their points are the
        noisiest: a tenth of the number of points of the smallest party, none below ten. That
        discloses log₂ C(n, m/10)/m bits of each of m points here, at each s, to each seller of n
        points: 1 bit for n = 100 m, and never more than 1.7.
    dimensions : int, optional
        Compare secret random projections of everybody's points to this number of dimensions r, so
        that nobody else receives more than r coordinates of a point of d. Distances of projections
        are lower bounds; `Result.estimates` adds estimates of the distances of the raw points.
        Needs a sealed reference, of r dimensions if `Protocol.reference` names it, and no
        `epsilon`.
    epsilon, radius : float, optional
        Differential privacy for sellers' records; give both or neither. Distances come with
        Laplace noise, and ε bounds what one evaluation discloses of any one record (see
        `Evaluation.noised_result`). Pushed points are clipped to the ball of this radius around
        the mean of η_μ(t0): a smaller one needs less noise, and makes data that is far away look
        near. Needs order 2, mode ``'measure'`` and a reference of one point.
    keeps_order : bool
        Send rows in the order of the table, instead of a secret one. Every receiver of points then
        reads the ranks of a column that the table is sorted by.
    max_disclosure : DisclosureClass or str, optional
        The most that the service or a seller may learn of these points by itself; by default the
        profile's limit, and without one ``'up-to-isometry'``, with a `ReadableColumnsWarning` in
        place of a refusal if columns are read through the isometry.
        `Buyer.ask` attacks the points as every receiver could, and sends nothing if an attack
        succeeds beyond the limit. An open reference, `reveals_measure` and `reveals_scores` need
        ``'exact'``, which allows everything.

    Raises
    ------
    InvalidArgumentError
        If `epsilon` or `radius` is not positive or comes alone, `dimensions` is not a whole number
        or does not go with the rest, or the class is unknown.
    """

    sealed: bool = True
    reveals_measure: bool = False
    reveals_scores: bool = False
    dimensions: int | None = None
    epsilon: float | None = None
    radius: float | None = None
    keeps_order: bool = False
    max_disclosure: DisclosureClass | str | None = None

    def __post_init__(self) -> None:
        for name in ("epsilon", "radius"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, as_positive(value, name))
        if (self.epsilon is None) != (self.radius is None):
            raise InvalidArgumentError(
                "epsilon and radius go together, received "
                f"epsilon={self.epsilon!r} and radius={self.radius!r}: give both or neither"
            )
        if self.dimensions is not None:
            as_count(self.dimensions, "dimensions")
            if not self.sealed:
                raise InvalidArgumentError(
                    "dimensions need a sealed reference, whose key holds the projection: leave "
                    "out sealed=False (--open) or dimensions"
                )
            if self.epsilon is not None:
                raise InvalidArgumentError(
                    "expected either dimensions or epsilon, received both: distances with noise "
                    "are of points with all coordinates"
                )
        if self.max_disclosure is not None:
            object.__setattr__(self, "max_disclosure", disclosure_limit(self.max_disclosure))
