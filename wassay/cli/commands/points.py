"""`wassay points`: select the sellers' points to inspect or to buy."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.printed_values import echo


@explained()
def points(
    request_file: RequestFile,
    evaluation: EvaluationId,
    noisy: Annotated[
        int | None,
        typer.Option(min=1, help="Print at most this many points that look most like noise."),
    ] = None,
    valuable: Annotated[
        int | None,
        typer.Option(min=1, help="Print at most this many points that lower the distance most."),
    ] = None,
    mislabelled: Annotated[
        int | None,
        typer.Option(
            min=1, help="Print at most this many points whose labels are most probably wrong."
        ),
    ] = None,
    outliers: Annotated[
        float | None,
        typer.Option(
            help="Print points whose scores exceed the median of their seller's scores by more "
            "than this many standard deviations, such as 3.5."
        ),
    ] = None,
) -> None:
    """Print which of the sellers' points to inspect or buy.

    Without an option, prints the points that stand out among the other points of their seller.
    --valuable prints points to buy; the other options print points to inspect.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.points import print_points

    options = {
        "--noisy": noisy,
        "--valuable": valuable,
        "--mislabelled": mislabelled,
        "--outliers": outliers,
    }
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise wassay.WassayError(
            f"expected at most one of {', '.join(options)}, received {' and '.join(given)}: run "
            "the command once for each"
        )
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        if not given:
            typer.echo(evaluated.noise())
            return
        if noisy is not None:
            selected = evaluated.noisy(top=noisy)
        elif valuable is not None:
            selected = evaluated.valuable(budget=valuable)
        elif mislabelled is not None:
            selected = evaluated.mislabelled(top=mislabelled)
        else:
            selected = evaluated.outliers(cutoff=outliers or 0.0)
    echo(print_points(selected))
