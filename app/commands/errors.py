"""Print the errors of commands as sentences, without tracebacks."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError

from wassay.cli.errors import sentence
from wassay.control_characters import escape_control_characters
from wassay.redaction import redacted

from ..http.problems import Problem
from ..http.validation_messages import expectation
from ..schema.compatibility import SchemaTooNew
from ..settings import Settings


@contextmanager
def explained() -> Iterator[None]:
    """Run the block; print an expected error and exit with status 1."""
    try:
        yield
    except Problem as problem:
        _exit(problem.detail, problem)
    except ValidationError as error:
        # Never print the input: the address of a database may contain a password.
        for item in error.errors(include_url=False, include_input=False):
            name = ".".join(str(part) for part in item["loc"])
            setting = f"WASSAY_{name.upper()}" if error.title == Settings.__name__ else name
            expected = expectation(item)
            # An error about several settings has no single name; its message names the settings.
            typer.echo(
                f"wassay: {setting}: {expected}" if name else f"wassay: {expected}", err=True
            )
        raise typer.Exit(1) from error
    except DBAPIError as error:
        _exit(f"the database cannot be used: {error.orig}", error)
    except SchemaTooNew as error:
        _exit(str(error), error)
    except OSError as error:
        _exit(sentence(error), error)


def _exit(message: str, error: Exception) -> None:
    typer.echo(f"wassay: {escape_control_characters(redacted(message))}", err=True)
    raise typer.Exit(1) from error
