"""`wassay report`: write a report of an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile


@explained()
def report(
    request_file: RequestFile,
    evaluation: EvaluationId,
    file: Annotated[Path, typer.Argument(help="The HTML file to create. It contains your t0.")],
) -> None:
    """Write a report of an evaluation as one HTML page.

    The page shows sellers, distance curves, scores, findings, certificates and the receipt.
    """
    with wassay.Client() as client:
        wassay.Buyer(client).load(request_file).evaluation(evaluation).report(file)
