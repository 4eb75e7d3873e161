"""The measured rates of solving, on one core: seconds for each pair of points."""

SECONDS_PER_PAIR = 6e-8
"""The time to solve a subproblem of a million pairs or more on one core, for each pair of points.

Measured: 3e-8 to 8e-8 in 3 to 50 dimensions; up to 2e-7 below half a million pairs.
"""
SECONDS_PER_SCORED_PAIR = 4e-7
"""Like `SECONDS_PER_PAIR`, with scores of the points; 1e-7 if they are scored by landmarks."""
SECONDS_PER_CARRIED_PAIR = 1e-8
"""Like `SECONDS_PER_PAIR`, if the coupling is known from another s, and is only certified."""
SECONDS_PER_PART_PAIR = 1e-7
"""The time to compare parts of two sides, for each pair of points in them."""
