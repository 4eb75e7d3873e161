"""An array between its upload and its place in the store."""

from dataclasses import dataclass
from pathlib import Path

from .contents import RowWeights


@dataclass(frozen=True)
class UploadedArray:
    """A good array that came whole; it is removed again unless the store is told to keep it.

    `rows` and `columns` are those of the points or costs, without the column of weights that an
    array has when it is `weighted`.
    """

    file: Path
    digest: str
    rows: int
    columns: int
    weighted: bool
    weights: RowWeights
    bytes: int
