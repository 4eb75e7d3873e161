"""Seconds that solving takes for each pair of points, timed on one core."""

SECONDS_PER_PAIR = 6e-8
"""The time per pair of points to solve a subproblem of a million pairs or more on one core.

Timed: 3e-8 to 8e-8 in 3 to 50 dimensions; up to 2e-7 below half a million pairs.
"""
SECONDS_PER_SCORED_PAIR = 4e-7
"""The time per pair if the points are scored, too; only 1e-7 if the scores are approximate."""
SECONDS_PER_CARRIED_PAIR = 1e-8
"""The time per pair if the plan is known from another s and only needs to be certified."""
SECONDS_PER_PART_PAIR = 1e-7
"""The time per pair of points to compare random parts of a buyer's and a seller's points."""
