"""The command line: commands for buyers and sellers, and commands that plug-ins add."""

from typing import Annotated

import typer

from wassay import __version__
from wassay.cli.lazy_commands import Commands, LazyCommand, commands_of, plug_ins
from wassay.cli.terminal_encoding import spell_what_cannot_be_encoded

SUMMARIES = {
    "key": "Publish your encryption key, and print its fingerprint.",
    "trust": "Pin the fingerprint of another party's encryption key.",
    "limit": "Set the most that any receiver may learn about your points, and print it.",
    "caps": "Limit what each organisation may learn about your datasets in further evaluations.",
    "listings": "Find data that sellers offer.",
    "publish": "Publish a listing that describes your table: its columns, their types, and how "
    "many rows.",
    "ask": "Open a request for data like yours, and invite sellers.",
    "invite": "Invite sellers, and send them the reference's key.",
    "requests": "List the open requests of buyers that you may answer.",
    "check": "Compare a table with what a buyer's request expects, and print each difference.",
    "answer": "Contribute your points to a buyer's request.",
    "decline": "Decline a buyer's request, with a reason.",
    "withdraw": "Withdraw your contribution, and delete its arrays from the service.",
    "noisiest": "Print the rows of your file that look like noise to the buyer, numbered from 0.",
    "rows": "Print the row of your file for each point that you sent.",
    "contributions": "List the contributions to your request.",
    "evaluate": "Evaluate the contributions to your request, and print the distances at your t0.",
    "result": "Print the distances of an evaluation at your t0.",
    "report": "Write a report of an evaluation as one HTML page.",
    "close": "Close your request to further contributions.",
    "cancel": "Cancel your request and its unfinished evaluations.",
    "shapley": "Print how much each seller reduces the distance at your t0: the Shapley value.",
    "buy": "Print which sellers to buy from within a budget.",
    "points": "Print which of the sellers' points to inspect or buy.",
    "compare": "Print the distances between sellers, and cluster them.",
    "value": "Print values of sellers or points, by any valuation method.",
    "audit": "Attack your own points as their receivers could.",
    "ledger": "Verify your ledger, and print what others can compute about your data.",
    "receipt": "Save your receipt of an evaluation to a file.",
    "verify": "Verify a receipt without the service, and print what it certifies.",
    "usage": "Print what your account and organisation use of the service, and their limits.",
    "close-account": "Close your account permanently, and erase its data from the service.",
    "admin-actions": "List what administrators did, newest first; needs an admin's key.",
}
"""The first line of each command's help."""

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
        add_completion=False,
    )
    application.callback()(about)
    group = typer.main.get_group(application)
    for command in (*own_commands(), *plug_ins()):
        group.add_command(command)
    group()


def own_commands() -> list[LazyCommand]:
    """Return the commands for buyers and sellers."""
    return commands_of(f"{__name__}.commands", SUMMARIES)


def about(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Measure how much a seller's data resembles the data a buyer needs."""
    if version:
        typer.echo(__version__)
        raise typer.Exit
