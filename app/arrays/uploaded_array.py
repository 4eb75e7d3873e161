"""An array that was uploaded and checked, but is not stored yet."""

from dataclasses import dataclass
from pathlib import Path

from .entry_validation import RowWeights


@dataclass(frozen=True)
class UploadedArray:
    """A complete, valid upload in a temporary file.

    `columns` does not count the last column of a `weighted` array, which holds the weights.
    """

    file: Path
    digest: str
    rows: int
    columns: int
    weighted: bool
    weights: RowWeights
    bytes: int
