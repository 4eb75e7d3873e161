"""The attack that finds three to six groups of rows, such as those of a category's values."""

import numpy as np

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import Partition, separate_groups


def run(cloud: Cloud) -> Components:
    """Find groups of rows with gaps between them, and return the ways to divide the groups in two.

    Each way gives one component, which tells the side of each row.
    """
    # Groups that chance may have made count only if a column or a fact agrees with a division.
    # Their components say only the side; others say how much nearer a row is to one side.
    partitions = separate_groups(cloud.points, cloud.least_gaussian, cloud.labels)
    sides = [
        each.divisions if each.beyond_chance else (each.divisions > 0).astype(np.float64)
        for each in partitions
    ]
    certain = tuple(
        CertainCombination(each.leading, _why(each), exact=False)
        for each in partitions
        if each.beyond_chance
    )
    values = np.hstack([np.empty((len(cloud.points), 0)), *sides])
    return Components(values, certain=certain)


def _why(partition: Partition) -> str:
    *others, last = partition.sizes
    sizes = f"{', '.join(map(str, others))} and {last}"
    return (
        f"rows separate into groups of {sizes} (each gap is at least {partition.emptiness:.0%} "
        "empty), and who knows one row of a group knows what all its rows have in common"
    )


SEVERAL_GROUPS = ColumnAttack("several groups at once", frozenset(), run)
