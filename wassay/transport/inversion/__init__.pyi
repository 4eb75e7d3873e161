from .column_match import ColumnMatch, match_columns, ranks, step_of
from .crowded_planes import crowded_planes
from .distance_queries import reconstruct_from_distances
from .emptiest_cuts import Cut, emptiest_cuts
from .extrapolation import extrapolate
from .flat_quadratics import flat_directions
from .independent_components import beyond_chance, independent_components, least_gaussian_components
from .integer_lattice import LatticeReading, integer_columns
from .integer_relations import count_others, integer_combinations
from .linear_prediction import predict_from_known, predict_unprojected
from .most_normal import most_normal_components
from .normal_cone import invert_push
from .population_axes import match_axes
from .principal_components import axes_of, principal_components
from .procrustes import align
from .push_estimation import (
    TRIAL_SOLVES,
    PushEstimate,
    estimate_push,
    invert_unknown_push,
    push_from_known_records,
    redraws,
)
from .rank_queries import reconstruct_from_ranks
from .reconstruction import Reconstruction
from .reconstruction_error import reidentified, relative_error
from .reflection import reflect
from .repeated_values import repeated_values
from .row_order import row_numbers, runs_of_rows, sorting_directions
from .score_queries import reconstruct_from_scores
from .separate_groups import Partition, separate_groups
from .thin_planes import thin_planes
from .thin_surfaces import thin_surfaces
from .trilateration import trilaterate, unpushed_cost_block

__all__ = [
    "TRIAL_SOLVES",
    "ColumnMatch",
    "Cut",
    "LatticeReading",
    "Partition",
    "PushEstimate",
    "Reconstruction",
    "align",
    "axes_of",
    "beyond_chance",
    "count_others",
    "crowded_planes",
    "emptiest_cuts",
    "estimate_push",
    "extrapolate",
    "flat_directions",
    "independent_components",
    "integer_columns",
    "integer_combinations",
    "invert_push",
    "invert_unknown_push",
    "least_gaussian_components",
    "match_axes",
    "match_columns",
    "most_normal_components",
    "predict_from_known",
    "predict_unprojected",
    "principal_components",
    "push_from_known_records",
    "ranks",
    "reconstruct_from_distances",
    "reconstruct_from_ranks",
    "reconstruct_from_scores",
    "redraws",
    "reflect",
    "reidentified",
    "relative_error",
    "repeated_values",
    "row_numbers",
    "runs_of_rows",
    "separate_groups",
    "sorting_directions",
    "step_of",
    "thin_planes",
    "thin_surfaces",
    "trilaterate",
    "unpushed_cost_block",
]
