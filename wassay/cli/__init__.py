"""The command line of buyers and sellers, and the commands that plug-ins add."""

from typing import Annotated

import typer

from wassay import __version__
from wassay.cli.account import close_account
from wassay.cli.audit import audit
from wassay.cli.caps import caps
from wassay.cli.comparison import compare
from wassay.cli.disclosure_limit import limit
from wassay.cli.evaluation import evaluate, report, result
from wassay.cli.keys import key, trust
from wassay.cli.ledger import ledger
from wassay.cli.listings import listings, publish
from wassay.cli.plug_ins import Commands
from wassay.cli.point_selection import points
from wassay.cli.receipts import receipt, verify
from wassay.cli.request import ask, cancel, contributions, invite
from wassay.cli.seller import answer, check, decline, noisiest, requests, withdraw
from wassay.cli.terminal import spell_what_cannot_be_encoded
from wassay.cli.usage import usage
from wassay.cli.valuation import buy, shapley
from wassay.cli.value import value

OURS = (
    *(key, trust, limit, caps, listings, publish, ask, invite),
    *(requests, check, answer, decline, withdraw, noisiest),
    *(contributions, evaluate, result, report, cancel, shapley, buy, points, compare, value),
    *(audit, ledger, receipt, verify, usage, close_account),
)

EPILOG = (
    "Set WASSAY_URL to the service's address and WASSAY_API_KEY to your account's key. "
    "To run a service: pip install 'wassay[server]', then wassay serve."
)


def main() -> None:
    """Run the command line."""
    spell_what_cannot_be_encoded()
    application = typer.Typer(
        cls=Commands,
        invoke_without_command=True,
        epilog=EPILOG,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    application.callback()(about)
    for command in OURS:
        application.command()(command)
    application()


def about(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Measure how much a seller's data resembles the data a buyer needs."""
    if version:
        typer.echo(__version__)
        raise typer.Exit
