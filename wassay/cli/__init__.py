"""The command line: both sides' work, and what plug-ins such as the service add to it."""

from typing import Annotated

import typer

from wassay import __version__
from wassay.cli.audit import audit
from wassay.cli.buyer import answers, ask, cancel, evaluate, invite, report, result
from wassay.cli.disclosure import limit
from wassay.cli.keys import key, trust
from wassay.cli.ledger import ledger
from wassay.cli.plug_ins import Commands
from wassay.cli.receipts import receipt, verify
from wassay.cli.seller import answer, decline, noisiest, requests, withdraw
from wassay.cli.terminal import spell_what_cannot_be_encoded
from wassay.cli.worth import buy, compare, points, shapley

OURS = (
    *(key, trust, limit, ask, invite, requests, answer, decline, withdraw, noisiest),
    *(answers, evaluate, result, report, cancel, shapley, buy, points, compare),
    *(audit, ledger, receipt, verify),
)

EPILOG = (
    "WASSAY_URL and WASSAY_API_KEY say which service to speak to, and as whom. "
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
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """How much does a seller's data resemble the data a buyer needs?"""
    if version:
        typer.echo(__version__)
        raise typer.Exit
