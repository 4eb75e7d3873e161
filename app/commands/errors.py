"""An operator's mistakes as sentences: a command that fails says why, and shows no traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError

from wassay.cli.errors import sentence
from wassay.redaction import redacted

from ..kit.problems import Problem
from ..settings import Settings


@contextmanager
def explained() -> Iterator[None]:
    """End the command with status 1 and what was expected."""
    try:
        yield
    except Problem as problem:
        _end(problem.detail, problem)
    except ValidationError as error:
        # What came is not repeated: a database's address may hold a password.
        for mistake in error.errors(include_url=False, include_input=False):
            name = ".".join(str(part) for part in mistake["loc"])
            named = f"WASSAY_{name.upper()}" if error.title == Settings.__name__ else name
            said = mistake["msg"].removeprefix("Value error, ")
            typer.echo(f"wassay: {named}: {said}", err=True)
        raise typer.Exit(1) from error
    except DBAPIError as error:
        _end(f"the database cannot be used: {error.orig}", error)
    except OSError as error:
        _end(sentence(error), error)


def _end(told: str, error: Exception) -> None:
    typer.echo(f"wassay: {redacted(told)}", err=True)
    raise typer.Exit(1) from error
