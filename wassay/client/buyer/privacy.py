"""A buyer's limits on what others may compute about their points."""

from dataclasses import dataclass

from wassay.client.shared.arguments import as_count, as_positive
from wassay.client.shared.disclosure_check import disclosure_limit
from wassay.disclosure_class import DisclosureClass
from wassay.errors import InvalidArgumentError


@dataclass(frozen=True)
class BuyerPrivacy:
    """Limits on what the service and the sellers may learn about a buyer's points.

    Parameters
    ----------
    sealed : bool
        Whether to hide the reference's seed from the service, and to move all pushed points by a
        secret random isometry. If False, the service can compute the raw points of every party.
    reveals_measure : bool
        Whether accepted sellers may download the pushed points η_μ(t0), which the modes
        ``'cost-block'`` and ``'scalar'`` need. Sellers know the reference, so they can then compute
        the raw points.
    reveals_scores : bool
        Whether a seller may read the exact scores of their own points, if all other sellers of the
        evaluation disclose scores. If False, sellers read only which of their points are the
        noisiest.
    dimensions : int, optional
        The number of dimensions to which all parties' points are projected at random and in secret;
        by default points are not projected. Projecting needs a sealed reference and no `epsilon`.
    epsilon, radius : float, optional
        Differential privacy for the records of sellers: distances get Laplace noise, and points are
        clipped to a ball of this radius. Give both or neither; noise needs order 2, mode
        ``'measure'`` and a reference of one point.
    keeps_order : bool
        Whether to send rows in the order of the table instead of a secret order. Then every
        receiver of points can read the ranks of a column by which the table is sorted.
    max_disclosure : DisclosureClass or str, optional
        The most that the service or a seller, each alone, may learn about these points; by default
        the profile's limit. An open reference, `reveals_measure` and `reveals_scores` need
        ``'exact'``, which allows everything.

    Raises
    ------
    InvalidArgumentError
        If a value is out of range, only one of `epsilon` and `radius` is given, or `dimensions` is
        combined with an open reference or an epsilon.

    Notes
    -----
    From exact scores, a seller with about d + 1 points for each of the buyer's points, in d
    dimensions, can compute η_μ(t0). From the noisiest points alone, a seller with 100,000 points
    learns at most 1.7 bits about each of the buyer's points.

    With `dimensions`, no other party receives more coordinates of a point than this number.
    Distances of projected points are lower bounds; `Result.estimates` also estimates the distances
    of the raw points. A `Reference` in `Protocol.reference` must have this many dimensions.

    ε bounds what one evaluation discloses about any single record. The ball to which sellers'
    pushed points are clipped is around the mean of the buyer's pushed points. A smaller ball needs
    less noise, but makes far data look near.

    `Buyer.ask` attacks the points as every receiver could, and sends nothing if an attack learns
    more than `max_disclosure`. If the profile has no limit either, the limit is
    ``'up-to-isometry'``. Readable columns then lead to a `ReadableColumnsWarning` instead of an
    exception.
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
                    "dimensions need a sealed reference, whose key contains the projection, "
                    "received an open one: leave out sealed=False (--open) or dimensions"
                )
            if self.epsilon is not None:
                raise InvalidArgumentError(
                    "expected dimensions or epsilon, received both: leave one of them out, because "
                    "projected points cannot be compared with noise"
                )
        if self.max_disclosure is not None:
            object.__setattr__(self, "max_disclosure", disclosure_limit(self.max_disclosure))
