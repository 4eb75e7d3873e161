"""`wassay shapley`: print the Shapley value of each seller."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.printed_values import echo


@explained()
def shapley(
    request_file: RequestFile,
    evaluation: EvaluationId,
    standard_error: Annotated[
        float,
        typer.Option(
            min=0,
            help="The largest standard error to accept, divided by the range of the values.",
        ),
    ] = 0.05,
    max_permutations: Annotated[
        int,
        typer.Option(
            min=2,
            help="The most permutations to sample, an even number. With up to ten contributions, "
            "values are exact and nothing is sampled.",
        ),
    ] = 1000,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after about this many seconds.")
    ] = None,
) -> None:
    """Print how much each seller reduces the distance at your t0: the Shapley value.

    The value is an average over the orders in which one could buy. Reuses what an earlier call has
    computed.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import SHAPLEY

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.shapley(
            standard_error=standard_error,
            max_permutations=max_permutations,
            seconds=seconds,
            progress=True,
        )
        sellers = evaluated.result().document.sellers
    echo(SHAPLEY.printed(found, sellers))
