"""`wassay evaluate`, `result`, `report`: evaluate contributions, and read the result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.seller_names import SubmittedSeller
from wassay.cli.seller_numbers import numbers_of


@explained()
def evaluate(
    request_file: RequestFile,
    seller_weighting: Annotated[
        Literal["points", "equal"] | None,
        typer.Option(
            help="Give each point, or each seller, the same weight; by default each point.",
            show_default=False,
        ),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SELLER=WEIGHT",
            help="A seller, by label or contribution as `wassay contributions` shows them, and "
            "their weight, instead of --seller-weighting. Repeatable: every seller needs one.",
        ),
    ] = None,
    leave_one_out: Annotated[
        bool | None,
        typer.Option(
            help="Compute, or not, how the distance of all sellers changes without each one; by "
            "default if sellers' caps allow it.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Only print what it would cost: problems, seconds and memory."
        ),
    ] = False,
) -> None:
    """Evaluate the contributions to your request.

    Waits for the result. Prints the distances at your t0, and to standard error the
    evaluation's id.
    """
    # Imports what other commands do not need.
    from wassay.client import ConnectionFailedError

    with wassay.Client() as client:
        request = wassay.Buyer(client).load(request_file)
        if dry_run:
            typer.echo(request.evaluate(dry_run=True, leave_one_out=leave_one_out))
            return
        evaluation = request.evaluate(
            seller_weighting=seller_weighting,
            seller_weights=numbers_of(_submitted(request), weight, "weight") if weight else None,
            leave_one_out=leave_one_out,
        )
        try:
            evaluation.wait(progress=True)
        except (KeyboardInterrupt, ConnectionFailedError):
            # The evaluation continues on the service.
            typer.echo(
                f"\nTo read it later: wassay result {request_file} {evaluation.id}", err=True
            )
            raise
        typer.echo(_found(evaluation).estimates())


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
        found = _found(request.evaluation(evaluation))
    typer.echo(found.to_json() if json else found.estimates())
    if plot is not None:
        found.plot(plot)


@explained()
def report(
    request_file: RequestFile,
    evaluation: EvaluationId,
    file: Annotated[Path, typer.Argument(help="A new HTML file, which shows your t0.")],
) -> None:
    """Write a report of an evaluation as one HTML page.

    The page has the sellers, distance curves, scores, findings, certificates and the receipt.
    """
    with wassay.Client() as client:
        wassay.Buyer(client).load(request_file).evaluation(evaluation).report(file)


def _submitted(request: wassay.Request) -> list[SubmittedSeller]:
    return [
        SubmittedSeller(each.id, each.account_id, each.label)
        for each in request.contributions()
        if each.state == "submitted"
    ]


def _found(evaluation: wassay.Evaluation) -> wassay.Result | wassay.NoisedResult:
    return evaluation.result() if evaluation.epsilon is None else evaluation.noised_result()
