"""`wassay evaluate`: evaluate the contributions to a request."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.evaluation_results import result_of
from wassay.cli.options import RequestFile
from wassay.cli.seller_names import SubmittedSeller
from wassay.cli.seller_numbers import numbers_of
from wassay.control_characters import escape_line


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
    """Evaluate the contributions to your request, and print the distances at your t0.

    Waits for the result. Prints the evaluation's id to standard error.
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
        typer.echo(result_of(evaluation).estimates())


def _submitted(request: wassay.Request) -> list[SubmittedSeller]:
    return [
        SubmittedSeller(each.id, each.account_id, each.label)
        for each in request.contributions()
        if each.state == "submitted"
    ]
