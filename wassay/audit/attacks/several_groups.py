"""Find three to six groups of rows, such as those of a category that another field tells too."""

import numpy as np

from wassay.audit.attacks.column_attack import Certain, Cloud, ColumnAttack, Components
from wassay.transport.inversion import Partition, separate_groups


def run(cloud: Cloud) -> Components:
    """Return for some of the groups how much nearer rows are to them than to the others.

    Partitions that chance could have made count only if a column or a fact of the table agrees with
    some of their groups.
    """
    partitions = separate_groups(cloud.points, cloud.turned, cloud.labels)
    sides = [np.empty((len(cloud.points), 0)), *(each.divisions for each in partitions)]
    certain = tuple(
        Certain(each.leading, _why(each), exact=False) for each in partitions if each.beyond_chance
    )
    return Components(np.hstack(sides), certain=certain)


def _why(partition: Partition) -> str:
    *others, last = partition.sizes
    sizes = f"{', '.join(map(str, others))} and {last}"
    return (
        f"rows separate into groups of {sizes} (each gap is at least {partition.emptiness:.0%} "
        "empty), and who knows one row of a group knows what all its rows have in common"
    )


SEVERAL_GROUPS = ColumnAttack("several groups at once", frozenset(), run)
