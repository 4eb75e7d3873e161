"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wassay.modes import MODES

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


def mode_option(text: str) -> Any:
    """Return an option that takes one of the modes."""
    return typer.Option(parser=_mode, metavar=f"[{'|'.join(MODES)}]", help=text)


def _mode(name: str) -> str:
    if name not in MODES:
        raise typer.BadParameter(f"expected one of {', '.join(MODES)}; received {name!r}")
    return name
