"""Estimate how many processor seconds solving takes, from the numbers of points.

Estimates are usually right within a factor of three.
"""

from dataclasses import dataclass

from wassay.transport.market.part_sizes import PARTS, estimated_point_pairs

# All rates were timed on one core, with 3 to 512 dimensions, and between 10 × 10 and 8000 × 2000
# points of sellers and buyer.
SECONDS_PER_PROBLEM = 5e-4
"""The time for each problem, however few its points are."""
SECONDS_PER_MEMBER = 1.8e-5
"""The time to look up the costs of one seller of a coalition, in each of its problems."""
SECONDS_PER_PAIR = 3e-8
"""The time for each pair of points of a problem that is solved by itself."""
SECONDS_PER_COORDINATE = 3e-11
"""Added to `SECONDS_PER_PAIR` for each dimension, since costs are computed from coordinates."""
SECONDS_PER_CARRIED_PAIR = 1e-8
"""The time for each pair if the plan is known from another s and only needs to be certified."""
SECONDS_PER_SCORED_PAIR = 7e-8
"""The time for each pair of a problem whose points are scored, too."""
SECONDS_PER_SCORED_COORDINATE = 1.6e-10
"""Added to `SECONDS_PER_SCORED_PAIR` for each dimension, since costs at all s are compared."""
SECONDS_PER_SCORED_SELLER = 2e-4
"""The time to store the scores of one seller at one s."""
SECONDS_PER_BATCHED_POINT = 8e-6
"""The time for each point of a problem that is solved in a batch with others over the same costs.

The work that the batch shares is not included: it takes about as long as one more problem.
"""
PART_PROBLEMS = PARTS * (2 * PARTS - 1)
"""The number of problems that compare random parts of a buyer's and a seller's points."""
SECONDS_PER_PART_PROBLEM = 5e-5
"""The time for each problem that compares random parts, however few points the parts have."""
SECONDS_PER_PART_PAIR = 1e-7
"""The time for each pair of points of a problem that compares random parts."""


@dataclass(frozen=True)
class CoalitionSizes:
    """The sizes of a coalition that decide how long it takes to solve.

    Attributes
    ----------
    sellers
        The number of sellers in the coalition.
    points
        The number of these sellers' points.
    buyer_points
        The number of the buyer's points.
    dimension
        The dimension of all points.
    is_batched
        Whether the coalition is solved in a batch with others. That is so if it has several
        sellers, but not all, and more than half of all sellers' points.
    """

    sellers: int
    points: int
    buyer_points: int
    dimension: int
    is_batched: bool = False

    @property
    def pairs(self) -> int:
        """The number of pairs of a seller's point and a buyer's point."""
        return self.points * self.buyer_points

    def seconds(self, *, scored: bool = False, carried: bool = False) -> float:
        """Estimate the time to solve the coalition at one s and, if `scored`, to score its points.

        If `carried`, leave out the time to find the plan, which is known from another s.
        """
        seconds = SECONDS_PER_PROBLEM + self.sellers * SECONDS_PER_MEMBER
        if scored:
            seconds += self.sellers * SECONDS_PER_SCORED_SELLER
        if self.is_batched:
            points = self.points + self.buyer_points
            return seconds + (0.0 if carried else points * SECONDS_PER_BATCHED_POINT)
        if carried:
            return seconds + self.pairs * SECONDS_PER_CARRIED_PAIR
        if scored:
            rate = SECONDS_PER_SCORED_PAIR + self.dimension * SECONDS_PER_SCORED_COORDINATE
        else:
            rate = SECONDS_PER_PAIR + self.dimension * SECONDS_PER_COORDINATE
        return seconds + self.pairs * rate


def seconds_of_parts(seller_points: int, buyer_points: int) -> float:
    """Estimate the time to compare random parts of a seller's and of the buyer's points."""
    pairs = estimated_point_pairs(seller_points, buyer_points)
    if not pairs:
        return 0.0
    return PART_PROBLEMS * SECONDS_PER_PART_PROBLEM + pairs * SECONDS_PER_PART_PAIR
