"""Optimal transport that proves itself: measures, distances, sweeps, intervals and scores."""

from wassay.transport.certificate import Certificate, Distance
from wassay.transport.cost import Cost, GivenCost, PointCost, Power, StackedCost, cost_block
from wassay.transport.curve import DistanceCurve, Line, QuadraticFit, SweepPoint
from wassay.transport.errors import (
    Cancelled,
    InvalidMeasure,
    NegativeRadicand,
    NotCertified,
    TransportError,
)
from wassay.transport.exact import Solution, solve, wasserstein
from wassay.transport.intervals import (
    Estimate,
    aggregate_spread,
    estimate,
    gelbrich_lower_bound,
    one_seller_upper_bound,
)
from wassay.transport.isometry import Isometry, scale_hiding
from wassay.transport.measure import Measure
from wassay.transport.projection import (
    BarycentricProjection,
    interpolate,
    interpolate_exact,
    project,
)
from wassay.transport.reference import Constant, Gamma, Normal, Reference, Uniform
from wassay.transport.refinement import refine
from wassay.transport.rounding import Extent
from wassay.transport.scores import Scores, scores
from wassay.transport.sellers import SellerCosts
from wassay.transport.sweep import distance_curve
from wassay.transport.valuation import Valuation, contributions, evaluate

__all__ = [
    "BarycentricProjection",
    "Cancelled",
    "Certificate",
    "Constant",
    "Cost",
    "Distance",
    "DistanceCurve",
    "Estimate",
    "Extent",
    "Gamma",
    "GivenCost",
    "InvalidMeasure",
    "Isometry",
    "Line",
    "Measure",
    "NegativeRadicand",
    "Normal",
    "NotCertified",
    "PointCost",
    "Power",
    "QuadraticFit",
    "Reference",
    "Scores",
    "SellerCosts",
    "Solution",
    "StackedCost",
    "SweepPoint",
    "TransportError",
    "Uniform",
    "Valuation",
    "aggregate_spread",
    "contributions",
    "cost_block",
    "distance_curve",
    "estimate",
    "evaluate",
    "gelbrich_lower_bound",
    "interpolate",
    "interpolate_exact",
    "one_seller_upper_bound",
    "project",
    "refine",
    "scale_hiding",
    "scores",
    "solve",
    "wasserstein",
]
