"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

PointsFile = Annotated[
    Path,
    typer.Argument(
        help="Points, one a row: a .npy file, or a table of numbers with named columns (.csv, "
        ".tsv, .parquet, .arrow)."
    ),
]
ClassColumn = Annotated[
    str | None,
    typer.Option(help="The column of a table that is each point's class, instead of --classes."),
]
