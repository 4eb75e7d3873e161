"""Exact optimal transport with certificates: measures, distances, sweeps, intervals and scores."""

from .certificate import Certificate, Distance
from .concealing.isometry import Isometry, scale_hiding
from .concealing.random_projection import RandomProjection
from .costs.cost import Cost, Power
from .costs.given_cost import GivenCost
from .costs.point_cost import PointCost, cost_block
from .costs.rounding import Extent
from .costs.stacked_cost import StackedCost
from .data.documents import document, nearest_words, word_movers_distance
from .data.labels import Classes, labelled_cost, with_labels
from .errors import (
    Cancelled,
    InvalidMeasure,
    NegativeRadicand,
    NotCertified,
    SolverMissing,
    TransportError,
)
from .fedwad_rounds import FedWad, FedWadParty, FedWadRound, FedWadShare, fedwad, next_xi
from .laplace_bounds import laplace_bound
from .market.clustering import clusters, dendrogram, pairwise_distances
from .market.coalition_distances import CoalitionDistances
from .market.coverage import SweptCoverage, swept_coverage
from .market.market import Market
from .market.pairs import pair_subproblems, solve_pair
from .market.purchases import Purchase, buy_greedily
from .market.resampling import resample
from .market.sampled_permutations import sampled_coalitions
from .market.scalars import SweepScalars
from .market.seller_costs import SellerCosts
from .market.shapley import Shapley, shapley
from .market.subproblems import (
    GRAND_COALITION,
    Coalition,
    PartyScores,
    SolvedSubproblem,
    Subproblem,
    coalition_among,
    subproblems,
)
from .market.ties import ranks, relative_scores, smallest_first
from .market.valuation import (
    Curves,
    Valuation,
    assemble_curves,
    coalition_curves,
    evaluate,
)
from .market.verdict import Nearness, Resampled, Verdict, judge
from .measure import Measure
from .pushing.normals import Normals
from .pushing.projection import (
    BarycentricProjection,
    interpolate,
    interpolate_exact,
    project,
)
from .pushing.reference import Constant, Gamma, Normal, Reference, Uniform
from .scoring.label_scores import label_scores
from .scoring.outliers import in_distribution
from .scoring.point_scores import Scores
from .scoring.ranking import highest_first
from .scoring.scores import scores
from .scoring.swept_label_scores import SweptLabelScores, swept_label_scores
from .solvers.batch import solve_batch
from .solvers.solution import Solution
from .solvers.solve import solve
from .solvers.wasserstein import wasserstein
from .sweeps.curve import DistanceCurve, Line, QuadraticFit, SweepPoint
from .sweeps.intervals import (
    Estimate,
    aggregate_spread,
    estimate,
    gelbrich_lower_bound,
    one_seller_upper_bound,
)
from .sweeps.polynomial_fit import curve_weights, quadratic_weights
from .sweeps.projection_scaling import DistanceBand, ProjectionScaling, ScaledDistance
from .sweeps.refinement import refine
from .sweeps.sweep import distance_curve

__all__ = [
    "GRAND_COALITION",
    "BarycentricProjection",
    "Cancelled",
    "Certificate",
    "Classes",
    "Coalition",
    "CoalitionDistances",
    "Constant",
    "Cost",
    "Curves",
    "Distance",
    "DistanceBand",
    "DistanceCurve",
    "Estimate",
    "Extent",
    "FedWad",
    "FedWadParty",
    "FedWadRound",
    "FedWadShare",
    "Gamma",
    "GivenCost",
    "InvalidMeasure",
    "Isometry",
    "Line",
    "Market",
    "Measure",
    "Nearness",
    "NegativeRadicand",
    "Normal",
    "Normals",
    "NotCertified",
    "PartyScores",
    "PointCost",
    "Power",
    "ProjectionScaling",
    "Purchase",
    "QuadraticFit",
    "RandomProjection",
    "Reference",
    "Resampled",
    "ScaledDistance",
    "Scores",
    "SellerCosts",
    "Shapley",
    "Solution",
    "SolvedSubproblem",
    "SolverMissing",
    "StackedCost",
    "Subproblem",
    "SweepPoint",
    "SweepScalars",
    "SweptCoverage",
    "SweptLabelScores",
    "TransportError",
    "Uniform",
    "Valuation",
    "Verdict",
    "aggregate_spread",
    "assemble_curves",
    "buy_greedily",
    "clusters",
    "coalition_among",
    "coalition_curves",
    "cost_block",
    "curve_weights",
    "dendrogram",
    "distance_curve",
    "document",
    "estimate",
    "evaluate",
    "fedwad",
    "gelbrich_lower_bound",
    "highest_first",
    "in_distribution",
    "interpolate",
    "interpolate_exact",
    "judge",
    "label_scores",
    "labelled_cost",
    "laplace_bound",
    "nearest_words",
    "next_xi",
    "one_seller_upper_bound",
    "pair_subproblems",
    "pairwise_distances",
    "project",
    "quadratic_weights",
    "ranks",
    "refine",
    "relative_scores",
    "resample",
    "sampled_coalitions",
    "scale_hiding",
    "scores",
    "shapley",
    "smallest_first",
    "solve",
    "solve_batch",
    "solve_pair",
    "subproblems",
    "swept_coverage",
    "swept_label_scores",
    "wasserstein",
    "with_labels",
    "word_movers_distance",
]
