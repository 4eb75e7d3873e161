"""Report errors as sentences instead of tracebacks."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TextIO

import typer

import wassay
from wassay.cli.arguments_as_options import with_options
from wassay.control_characters import escape_control_characters
from wassay.redaction import redacted


@contextmanager
def explained() -> Iterator[None]:
    """Print a command's errors and warnings as sentences; after an error, exit with status 1.

    Only errors of the SDK, of files and of missing packages are caught.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _print_warning
            yield
    except (wassay.WassayError, ModuleNotFoundError) as error:
        _exit("; ".join([str(error), *getattr(error, "__notes__", ())]), error)
    except OSError as error:
        _exit(sentence(error), error)


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Put the file's name before the message of a `BrokenLedger` or `ReceiptError`."""
    try:
        yield
    except (wassay.BrokenLedger, wassay.ReceiptError) as error:
        raise type(error)(f"{path}: {error}") from error


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning's message without its line of code; replaces `warnings.showwarning`."""
    typer.echo(f"wassay: {escape_control_characters(str(message))}", err=True)


def _exit(message: str, error: Exception) -> NoReturn:
    typer.echo(f"wassay: {escape_control_characters(redacted(with_options(message)))}", err=True)
    raise typer.Exit(1) from error


def sentence(error: OSError) -> str:
    """Explain a failed file operation in words, without the operating system's error number."""
    match error:
        case OSError(filename=None):
            return error.strerror or str(error)
        case FileExistsError(filename=file):
            return f"{file} exists already; name a new file"
        case FileNotFoundError(filename=file):
            folder = "" if Path(file).parent.is_dir() else ", nor does its folder"
            return f"{file} does not exist{folder}"
        case PermissionError(filename=file):
            return f"{file} may not be read or written by you"
        case IsADirectoryError(filename=file):
            return f"{file} is a folder; name a file"
    return f"{error.filename}: {error.strerror}"
