"""`wassay evaluate`, `result` and `report`: evaluate contributions, and read the result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.seller_names import SubmittedSeller
from wassay.cli.seller_numbers import numbers_of
from wassay.control_characters import escape_in_json, escape_line


@explained()
def evaluate(
    request_file: RequestFile,
    seller_weighting: Annotated[
        Literal["points", "equal"] | None,
        typer.Option(
            help="Whether all points, or all sellers, get the same weight; by default all points.",
            show_default=False,
        ),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SELLER=WEIGHT",
            help="The weight of a seller, instead of --seller-weighting. Name sellers by label or "
            "contribution, as `wassay contributions` prints them. Repeat for every seller.",
        ),
    ] = None,
    leave_one_out: Annotated[
        bool | None,
        typer.Option(
            help="Whether to compute also, for each seller, the distance of all other sellers "
            "together; by default if the sellers' caps allow it.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print only the cost of the evaluation: transport problems, seconds and memory.",
        ),
    ] = False,
) -> None:
    """Evaluate the contributions to your request.

    Waits for the result. Prints the distances at your t0, and the evaluation's id to standard
    error.
    """
    # Imported here, because other commands do not need it.
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
            # The evaluation continues on the service, so its result can be read later.
            later = f"To read it later: wassay result {request_file} {evaluation.id}"
            typer.echo(f"\n{escape_line(later)}", err=True)
            raise
        typer.echo(_result_of(evaluation).estimates())


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
        found = _result_of(request.evaluation(evaluation))
    typer.echo(escape_in_json(found.to_json()) if json else found.estimates())
    if plot is not None:
        found.plot(plot)


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


def _submitted(request: wassay.Request) -> list[SubmittedSeller]:
    return [
        SubmittedSeller(each.id, each.account_id, each.label)
        for each in request.contributions()
        if each.state == "submitted"
    ]


def _result_of(evaluation: wassay.Evaluation) -> wassay.Result | wassay.NoisedResult:
    return evaluation.result() if evaluation.epsilon is None else evaluation.noised_result()
