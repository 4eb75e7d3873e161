"""Make the labels of contributions unique, for tables and plots."""

from collections import Counter
from collections.abc import Mapping

EVERYONE = "all together"
"""The label of the grand coalition in tables and plots."""


def unique_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Append the contribution's id to every label that is not unique.

    The argument and the result map contribution ids to labels. A label is not unique if two sellers
    chose it, or if it equals the label of the grand coalition.
    """
    count = Counter([EVERYONE, *labels.values()])
    return {
        name: label if count[label] == 1 else f"{label} ({name})" for name, label in labels.items()
    }
