"""Errors as sentences: a command that fails says why, and shows no traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

import wassay


@contextmanager
def explained() -> Iterator[None]:
    """End the command with status 1 and the error's own words."""
    try:
        yield
    except (
        wassay.WassayError,
        wassay.TransportError,
        wassay.SealingError,
        wassay.BrokenLedger,
        wassay.ReceiptError,
        OSError,
        ModuleNotFoundError,
    ) as error:
        typer.echo(f"wassay: {error}", err=True)
        raise typer.Exit(1) from error
