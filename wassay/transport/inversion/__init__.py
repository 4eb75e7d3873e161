"""Attacks on what the protocol sends: how much of somebody's records a receiver can compute.

An uploaded measure is the raw data for whoever knows the reference, two of them are for anybody,
and cost blocks are for whoever holds the points they measure from. These functions do what such a
receiver would do, so that people see it before they send.
"""

from wassay.transport.inversion.cost_blocks import block_without_push, trilaterate
from wassay.transport.inversion.distance_queries import reconstruct_from_distances
from wassay.transport.inversion.harm import reidentified, relative_error
from wassay.transport.inversion.known_records import align
from wassay.transport.inversion.order_queries import reconstruct_from_order
from wassay.transport.inversion.pushed import invert_push
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.inversion.score_queries import reconstruct_from_scores
from wassay.transport.inversion.two_pushes import extrapolate
from wassay.transport.inversion.unknown_push import (
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
