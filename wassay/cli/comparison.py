"""`wassay compare`: compare sellers with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.table import fixed, table


@explained()
def compare(
    request_file: RequestFile,
    evaluation: EvaluationId,
    clusters: Annotated[int, typer.Option(min=1, help="How many clusters of sellers to form.")] = 2,
    plot: Annotated[
        Path | None, typer.Option(help="Also plot the dendrogram to this new file.")
    ] = None,
) -> None:
    """Print the distances between sellers, and cluster them.

    Includes the sellers who allow it.
    """
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.compared(progress=True)
    cluster = found.clusters(clusters)
    rows = [
        (label, *map(fixed, distances), str(cluster[name]))
        for name, label, distances in zip(
            found.contribution_ids, found.labels, found.distances, strict=True
        )
    ]
    typer.echo(table(("seller", *found.labels, "cluster"), rows))
    if plot is not None:
        found.plot(plot)
