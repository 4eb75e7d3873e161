"""An array that was uploaded and checked, but is not stored yet."""

from dataclasses import dataclass
from pathlib import Path

from .entry_validation import RowWeights


@dataclass(frozen=True)
class UploadedArray:
    """A complete, valid upload in a temporary file, which is removed unless it is stored.

    `rows` and `columns` count the points or costs. If the array is `weighted`, its last column
    holds the weights, and is not counted.
    """

    file: Path
    digest: str
    rows: int
    columns: int
    weighted: bool
    weights: RowWeights
    bytes: int
