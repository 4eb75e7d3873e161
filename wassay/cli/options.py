"""Arguments and options shared by several commands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wassay.modes import MODES

PointsFile = Annotated[
    Path,
    typer.Argument(
        help="Your points, one a row: a .npy file, or a table with named columns, such as a .csv "
        "or a .parquet."
    ),
]
RequestFile = Annotated[Path, typer.Argument(help="The file that `wassay ask` wrote.")]
RequestId = Annotated[str, typer.Argument(help="The request's id.")]
EvaluationId = Annotated[
    str, typer.Argument(help="The evaluation's id, which `wassay evaluate` prints.")
]
ClassColumn = Annotated[
    str | None,
    typer.Option(
        help="The column of the table that holds each point's class, instead of --classes."
    ),
]

Weights = Annotated[
    Path | None,
    typer.Option(
        help="A .npy file with the weight of each point, at least 0; they are divided by their "
        "sum. By default all points weigh the same. In a table for a recipe, give a column the "
        "role weight instead."
    ),
]

KeepOrder = Annotated[
    bool,
    typer.Option(
        "--keep-order",
        help="Send rows in the order of your file, instead of a secret one. Receivers of points "
        "then read the ranks of a column that it is sorted by.",
    ),
]


def mode_option(text: str) -> Any:
    """Return an option that takes one of the modes."""
    return typer.Option(parser=_mode, metavar=f"[{'|'.join(MODES)}]", help=text)


def _mode(name: str) -> str:
    if name not in MODES:
        raise typer.BadParameter(f"expected one of {', '.join(MODES)}; received {name!r}")
    return name
