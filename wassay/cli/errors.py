"""Errors as sentences: a command that fails says why, and shows no traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer

import wassay
from wassay.escaping import escape_control_characters
from wassay.redaction import redacted


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
        ModuleNotFoundError,
    ) as error:
        _end("; ".join([str(error), *getattr(error, "__notes__", ())]), error)
    except OSError as error:
        _end(sentence(error), error)


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Name the file that something else is expected in."""
    try:
        yield
    except (wassay.BrokenLedger, wassay.ReceiptError) as error:
        raise type(error)(f"{path}: {error}") from error


def _end(told: str, error: Exception) -> NoReturn:
    typer.echo(f"wassay: {escape_control_characters(redacted(told))}", err=True)
    raise typer.Exit(1) from error


def sentence(error: OSError) -> str:
    """Say what is wrong with a file, without the number that the operating system has for it."""
    match error:
        case OSError(filename=None):
            return error.strerror or str(error)
        case FileExistsError(filename=file):
            return f"{file} is there already; name a new file"
        case FileNotFoundError(filename=file):
            among = "" if Path(file).parent.is_dir() else ", nor the folder that it is to be in"
            return f"{file} is not there{among}"
        case PermissionError(filename=file):
            return f"you may not read or write {file}"
        case IsADirectoryError(filename=file):
            return f"{file} is a folder; name a file"
    return f"{error.filename}: {error.strerror}"
