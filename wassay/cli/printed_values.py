"""Print what a valuation method found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from wassay.client.valuation.methods.method import Printed


def echo(printed: Printed) -> None:
    """Print a valuation: its lines to standard output, and its notes to standard error."""
    for line in printed.lines:
        typer.echo(line)
    for note in printed.notes:
        typer.echo(note, err=True)
