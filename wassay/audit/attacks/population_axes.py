"""The attack that matches the points' principal axes with those of a population sample."""

import numpy as np

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import match_axes


def run(cloud: Cloud) -> Components | None:
    """Estimate the records of each part of the cloud, from the part's sample of the population.

    Return None if a part cannot be matched with its sample.
    """
    found = [match_axes(cloud.points[part.rows], part.sample) for part in cloud.parts]
    if not all(estimates.shape[1] for estimates in found):
        return None
    values = np.empty_like(cloud.points)
    for part, estimates in zip(cloud.parts, found, strict=True):
        values[part.rows] = estimates
    return Components(
        values,
        "the receiver is assumed to own other records of the same population, which each half of "
        "these is for the other half",
    )


POPULATION_AXES = ColumnAttack("the axes of a sample of the population", frozenset(), run)
