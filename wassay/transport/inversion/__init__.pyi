from .cost_blocks import block_without_push, trilaterate
from .distance_queries import reconstruct_from_distances
from .harm import reidentified, relative_error
from .known_records import align
from .order_queries import reconstruct_from_order
from .pushed import invert_push
from .reconstruction import Reconstruction
from .score_queries import reconstruct_from_scores
from .two_pushes import extrapolate
from .unknown_push import (
    TRIAL_SOLVES,
    PushEstimate,
    estimate_push,
    invert_unknown_push,
    other_draws,
    push_of_known_records,
)

__all__ = [
    "TRIAL_SOLVES",
    "PushEstimate",
    "Reconstruction",
    "align",
    "block_without_push",
    "estimate_push",
    "extrapolate",
    "invert_push",
    "invert_unknown_push",
    "other_draws",
    "push_of_known_records",
    "reconstruct_from_distances",
    "reconstruct_from_order",
    "reconstruct_from_scores",
    "reidentified",
    "relative_error",
    "trilaterate",
]
