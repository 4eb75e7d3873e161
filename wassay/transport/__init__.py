"""Optimal transport that proves itself: measures, distances, sweeps, intervals and scores."""

from wassay.transport.certificate import Certificate, Distance
from wassay.transport.clustering import clusters, dendrogram, pairwise_distances
from wassay.transport.coalition_distances import CoalitionDistances
from wassay.transport.cost import Cost, Power
from wassay.transport.curve import DistanceCurve, Line, QuadraticFit, SweepPoint
from wassay.transport.documents import document, nearest_words, word_movers_distance
from wassay.transport.errors import (
    Cancelled,
    InvalidMeasure,
    NegativeRadicand,
    NotCertified,
    TransportError,
)
from wassay.transport.exact import solve, wasserstein
from wassay.transport.given_cost import GivenCost
from wassay.transport.intervals import (
    Estimate,
    aggregate_spread,
    estimate,
    gelbrich_lower_bound,
    one_seller_upper_bound,
)
from wassay.transport.isometry import Isometry, scale_hiding
from wassay.transport.labels import Classes, labelled_cost, with_labels
from wassay.transport.market import (
    TOGETHER,
    Group,
    Market,
    PartyScores,
    Solve,
    Solved,
    group_of,
    plan,
)
from wassay.transport.measure import Measure
from wassay.transport.noise import laplace_bound, quadratic_weights
from wassay.transport.outliers import in_distribution
from wassay.transport.pairs import pairs_of, solved_pair
from wassay.transport.point_cost import PointCost, cost_block
from wassay.transport.projection import (
    BarycentricProjection,
    interpolate,
    interpolate_exact,
    project,
)
from wassay.transport.reference import Constant, Gamma, Normal, Reference, Uniform
from wassay.transport.refinement import refine
from wassay.transport.rounding import Extent
from wassay.transport.sampled_orders import sampled_groups
from wassay.transport.scalars import SweepScalars
from wassay.transport.scores import Scores, scores
from wassay.transport.selection import Purchase, buy_greedily
from wassay.transport.sellers import SellerCosts
from wassay.transport.several import solve_each
from wassay.transport.shapley import Shapley, shapley
from wassay.transport.solution import Solution
from wassay.transport.stacked_cost import StackedCost
from wassay.transport.sweep import distance_curve
from wassay.transport.valuation import (
    Curves,
    Valuation,
    contributions,
    curves_of,
    evaluate,
    group_curves,
)

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
