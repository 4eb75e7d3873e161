"""`wassay result`: print the distances of an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.evaluation_results import result_of
from wassay.cli.options import EvaluationId, RequestFile
from wassay.control_characters import escape_in_json


@explained()
def result(
    request_file: RequestFile,
    evaluation: EvaluationId,
    plot: Annotated[
        Path | None, typer.Option(help="Also plot the distance curves to this file.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the whole result as JSON instead of a table.")
    ] = False,
) -> None:
    """Print the distances of an evaluation at your t0."""
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(request_file)
        found = result_of(request.evaluation(evaluation))
    typer.echo(escape_in_json(found.to_json()) if json else found.estimates())
    if plot is not None:
        found.plot(plot)
