"""Optimal transport that proves itself: measures, distances, sweeps, intervals and scores."""

from wassay.transport.certificate import Certificate, Distance
from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.costs.point_cost import PointCost, cost_block
from wassay.transport.costs.rounding import Extent
from wassay.transport.costs.stacked_cost import StackedCost
from wassay.transport.data.documents import document, nearest_words, word_movers_distance
from wassay.transport.data.labels import Classes, labelled_cost, with_labels
from wassay.transport.errors import (
    Cancelled,
    InvalidMeasure,
    NegativeRadicand,
    NotCertified,
    TransportError,
)
from wassay.transport.market.clustering import clusters, dendrogram, pairwise_distances
from wassay.transport.market.coalition_distances import CoalitionDistances
from wassay.transport.market.market import Market
from wassay.transport.market.pairs import pairs_of, solved_pair
from wassay.transport.market.problems import (
    TOGETHER,
    Group,
    PartyScores,
    Solve,
    Solved,
    group_of,
    plan,
)
from wassay.transport.market.sampled_orders import sampled_groups
from wassay.transport.market.scalars import SweepScalars
from wassay.transport.market.selection import Purchase, buy_greedily
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.shapley import Shapley, shapley
from wassay.transport.market.valuation import (
    Curves,
    Valuation,
    contributions,
    curves_of,
    evaluate,
    group_curves,
)
from wassay.transport.measure import Measure
from wassay.transport.noise import laplace_bound
from wassay.transport.pushing.isometry import Isometry, scale_hiding
from wassay.transport.pushing.projection import (
    BarycentricProjection,
    interpolate,
    interpolate_exact,
    project,
)
from wassay.transport.pushing.reference import Constant, Gamma, Normal, Reference, Uniform
from wassay.transport.scoring.outliers import in_distribution
from wassay.transport.scoring.scores import Scores, scores
from wassay.transport.solvers.exact import solve, wasserstein
from wassay.transport.solvers.several import solve_each
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.curve import DistanceCurve, Line, QuadraticFit, SweepPoint
from wassay.transport.sweeps.intervals import (
    Estimate,
    aggregate_spread,
    estimate,
    gelbrich_lower_bound,
    one_seller_upper_bound,
)
from wassay.transport.sweeps.quadratic import quadratic_weights
from wassay.transport.sweeps.refinement import refine
from wassay.transport.sweeps.sweep import distance_curve

__all__ = [
    "TOGETHER",
    "BarycentricProjection",
    "Cancelled",
    "Certificate",
    "Classes",
    "CoalitionDistances",
    "Constant",
    "Cost",
    "Curves",
    "Distance",
    "DistanceCurve",
    "Estimate",
    "Extent",
    "Gamma",
    "GivenCost",
    "Group",
    "InvalidMeasure",
    "Isometry",
    "Line",
    "Market",
    "Measure",
    "NegativeRadicand",
    "Normal",
    "NotCertified",
    "PartyScores",
    "PointCost",
    "Power",
    "Purchase",
    "QuadraticFit",
    "Reference",
    "Scores",
    "SellerCosts",
    "Shapley",
    "Solution",
    "Solve",
    "Solved",
    "StackedCost",
    "SweepPoint",
    "SweepScalars",
    "TransportError",
    "Uniform",
    "Valuation",
    "aggregate_spread",
    "buy_greedily",
    "clusters",
    "contributions",
    "cost_block",
    "curves_of",
    "dendrogram",
    "distance_curve",
    "document",
    "estimate",
    "evaluate",
    "gelbrich_lower_bound",
    "group_curves",
    "group_of",
    "in_distribution",
    "interpolate",
    "interpolate_exact",
    "labelled_cost",
    "laplace_bound",
    "nearest_words",
    "one_seller_upper_bound",
    "pairs_of",
    "pairwise_distances",
    "plan",
    "project",
    "quadratic_weights",
    "refine",
    "sampled_groups",
    "scale_hiding",
    "scores",
    "shapley",
    "solve",
    "solve_each",
    "solved_pair",
    "wasserstein",
    "with_labels",
    "word_movers_distance",
]
