"""Arguments and options shared by several commands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wassay.cli.files_and_ids import require_evaluation_id, require_request_file
from wassay.modes import MODES

PointsFile = Annotated[
    Path,
    typer.Argument(
        help="Your points, one in each row: a .npy file, or a table with named columns, such as a "
        ".csv or .parquet file."
    ),
]
RequestFile = Annotated[
    Path,
    typer.Argument(help="The file that `wassay ask` wrote.", callback=require_request_file),
]
RequestId = Annotated[str, typer.Argument(help="The request's id.")]
EvaluationId = Annotated[
    str,
    typer.Argument(
        help="The evaluation's id, which `wassay evaluate` prints.",
        callback=require_evaluation_id,
    ),
]
Classes = Annotated[
    Path | None,
    typer.Option(help="A .npy file with the class of each point, if the request takes labels."),
]

ClassColumn = Annotated[
    str | None,
    typer.Option(
        help="The column of the table with the class of each point, instead of --classes."
    ),
]

Weights = Annotated[
    Path | None,
    typer.Option(
        help="A .npy file with the weight of each point, at least 0. By default all points have "
        "the same weight. If a recipe makes points of a table, give a column the role weight "
        "instead."
    ),
]

KeepOrder = Annotated[
    bool,
    typer.Option(
        "--keep-order",
        help="Send rows in the order of your file instead of a secret order. Receivers of points "
        "can then read the ranks of a column by which the file is sorted.",
    ),
]


def mode_option(text: str) -> Any:
    """Return an option that takes one of the modes, with the help `text`."""
    return typer.Option(parser=_mode, metavar=f"[{'|'.join(MODES)}]", help=text)


def _mode(name: str) -> str:
    if name not in MODES:
        raise typer.BadParameter(f"expected one of {', '.join(MODES)}; received {name!r}")
    return name
