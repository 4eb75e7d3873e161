"""The service's commands, which the `wassay` command line loads as a plug-in."""

import typer

from app.commands.accounts import accounts
from app.commands.receipt_keys import receipt_keys
from app.commands.service import migrate, serve, worker
from app.commands.workers import workers

commands = typer.Typer()
commands.command()(serve)
commands.command()(worker)
commands.command()(workers)
commands.command()(migrate)
commands.add_typer(accounts, name="accounts")
commands.add_typer(receipt_keys, name="receipt-keys")

__all__ = ["commands"]
