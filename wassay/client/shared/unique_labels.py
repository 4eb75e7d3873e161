"""What sellers are called where each has to be told from the others."""

from collections import Counter
from collections.abc import Mapping

EVERYONE = "all together"
"""What tables and pictures call all sellers as one."""


def unique_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Call each contribution by its label; with its id where that says no more who it is.

    Labels are the sellers' own words: two may choose one, or that of all together.
    """
    count = Counter([EVERYONE, *labels.values()])
    return {
        name: label if count[label] == 1 else f"{label} ({name})" for name, label in labels.items()
    }
