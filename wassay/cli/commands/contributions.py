"""`wassay contributions`: list the contributions to a request."""

from __future__ import annotations

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import RequestFile
from wassay.models import Contribution
from wassay.table import table


@explained()
def contributions(request_file: RequestFile) -> None:
    """List the contributions to your request.

    Also lists the sellers who declined, with their reasons, and the invited sellers who have not
    contributed yet.
    """
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(request_file)
        received = request.contributions()
        invited = [each.account_id for each in client.requests.invitations(request.id)]
    rows = [
        (
            each.label,
            each.account_id,
            each.id,
            _points(each),
            f"{each.state}: {each.decline_reason}" if each.decline_reason else each.state,
        )
        for each in received
    ]
    contributing = {each.account_id for each in received if each.state != "withdrawn"}
    rows += [("", account, "", "", "invited") for account in invited if account not in contributing]
    if rows:
        typer.echo(table(("seller", "account", "contribution", "points", "state"), rows))
    else:
        typer.echo("No seller is invited, and none has contributed.", err=True)


def _points(contribution: Contribution) -> str:
    if contribution.points is None or contribution.sampled_from is None:
        return "" if contribution.points is None else str(contribution.points)
    return f"{contribution.points} of {contribution.sampled_from}"
