"""The command line: commands for buyers and sellers, and commands that plug-ins add."""

from typing import Annotated

import typer

from wassay import __version__
from wassay.cli.lazy_commands import Commands, LazyCommand, plug_ins
from wassay.cli.terminal_encoding import spell_what_cannot_be_encoded

OURS = {
    "key": ("Publish your encryption key, and print its fingerprint.", "keys:key"),
    "trust": ("Pin the fingerprint of another party's encryption key.", "keys:trust"),
    "limit": (
        "Set the most that any receiver may learn about your points.",
        "disclosure_limit:limit",
    ),
    "caps": (
        "Limit what each organisation may learn about your datasets in further evaluations.",
        "caps:caps",
    ),
    "listings": ("Find data that sellers offer.", "listings:listings"),
    "publish": (
        "Publish a listing that describes your table: its columns, their types, and how many rows.",
        "listings:publish",
    ),
    "ask": ("Open a request for data like yours, and invite sellers.", "request:ask"),
    "invite": ("Invite sellers, and send them the reference's key.", "request:invite"),
    "requests": ("List the open requests of buyers that you may answer.", "seller:requests"),
    "check": (
        "Compare a table with what a buyer's request expects, before you answer.",
        "seller:check",
    ),
    "answer": ("Contribute your points to a buyer's request.", "seller:answer"),
    "decline": ("Decline a buyer's request, with a reason.", "seller:decline"),
    "withdraw": (
        "Withdraw your contribution, and delete its arrays from the service.",
        "seller:withdraw",
    ),
    "noisiest": ("Print which of your points look like noise to the buyer.", "seller:noisiest"),
    "rows": ("Print the row of your file for each point that you sent.", "table_rows:rows"),
    "contributions": ("List the contributions to your request.", "request:contributions"),
    "evaluate": ("Evaluate the contributions to your request.", "evaluation:evaluate"),
    "result": ("Print the distances of an evaluation at your t0.", "evaluation:result"),
    "report": ("Write a report of an evaluation as one HTML page.", "evaluation:report"),
    "cancel": ("Cancel your request and its unfinished evaluations.", "request:cancel"),
    "shapley": ("Print the Shapley value of each seller.", "valuation:shapley"),
    "buy": ("Print which sellers to buy from within a budget.", "valuation:buy"),
    "points": ("Print which of the sellers' points to inspect or buy.", "point_selection:points"),
    "compare": ("Print the distances between sellers, and cluster them.", "comparison:compare"),
    "value": ("Print values of sellers or points, by any valuation method.", "value:value"),
    "audit": ("Attack your own points as their receivers could.", "audit:audit"),
    "ledger": ("Verify your ledger of disclosures, and summarise it.", "ledger:ledger"),
    "receipt": ("Save your receipt of an evaluation to a file.", "receipts:receipt"),
    "verify": ("Verify a receipt without the service.", "receipts:verify"),
    "usage": (
        "Print what your account and organisation use of the service, and their limits.",
        "usage:usage",
    ),
    "close-account": (
        "Close your account permanently, and erase its data from the service.",
        "account:close_account",
    ),
    "admin-actions": (
        "List what administrators did, newest first; needs an admin's key.",
        "admin_actions:admin_actions",
    ),
}
"""For each command's name, the first line of its help, and its ``module:function``."""

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
    for name, (summary, target) in OURS.items():
        group.add_command(LazyCommand(name, summary, f"{__name__}.{target}"))
    for command in plug_ins():
        group.add_command(command)
    group()


def about(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Measure how much a seller's data resembles the data a buyer needs."""
    if version:
        typer.echo(__version__)
        raise typer.Exit
