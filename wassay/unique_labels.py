"""Make the labels of contributions unique, for tables and plots."""

from collections import Counter
from collections.abc import Mapping

EVERYONE = "all together"
"""The label of the grand coalition in tables and plots."""


def unique_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Return labels by contribution id, with the id appended to every label that is not unique.

    A label is not unique if two sellers chose it, or if it equals `EVERYONE`, the label of all
    sellers together.
    """
    count = Counter([EVERYONE, *labels.values()])
    return {
        name: label if count[label] == 1 else f"{label} ({name})" for name, label in labels.items()
    }
