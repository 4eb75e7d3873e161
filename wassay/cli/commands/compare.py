"""`wassay compare`: compare sellers with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.printed_values import echo


@explained()
def compare(
    request_file: RequestFile,
    evaluation: EvaluationId,
    clusters: Annotated[int, typer.Option(min=1, help="The number of clusters to form.")] = 2,
    plot: Annotated[
        Path | None, typer.Option(help="Also plot the dendrogram to this new file.")
    ] = None,
) -> None:
    """Print the distances between sellers, and cluster them.

    Compares only the sellers who allow comparison.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import COMPARE

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.compare(progress=True)
    echo(COMPARE.printed(found, [], clusters=clusters))
    if plot is not None:
        found.plot(plot)
