"""`wassay usage`: print how much of the service an account and its organisation use."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.models import Quota
from wassay.table import table


@explained()
def usage(
    account: Annotated[
        str | None,
        typer.Argument(help="An account's id, if you are an admin; by default your own account."),
    ] = None,
) -> None:
    """Print what your account and organisation use of the service, and their limits."""
    with wassay.Client() as client:
        used = client.accounts.usage(account or client.accounts.me().id)
    rows = [
        _row("account, bytes stored", used.account_bytes),
        _row("account, evaluations that wait or run", used.account_evaluations),
        _row("organisation, bytes stored", used.organisation_bytes),
        _row("organisation, evaluations that wait or run", used.organisation_evaluations),
        ["organisation, evaluations ever", str(used.organisation_evaluations_ever), ""],
        ["organisation, accounts", str(used.organisation_accounts), ""],
    ]
    typer.echo(table([f"{used.account_id} of {used.organisation}", "used", "limit"], rows))


def _row(name: str, quota: Quota) -> list[str]:
    return [name, str(quota.used), str(quota.limit)]
