"""Commands that are imported only when they are called: Wassay's own, and those of plug-ins."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from wassay.cli.missing_arguments import explain_missing
from wassay.cli.option_values import explain_value

GROUP = "wassay.commands"
"""The group of entry points, each of which names a list of `LazyCommand`."""


def _require_nothing() -> None:
    """Require nothing: the default for commands without optional packages."""


class LazyCommand(TyperCommand):
    """A command, or a group of commands, that is imported when it is called.

    Parameters
    ----------
    name : str
    summary : str
        One line for the list of commands.
    target : str
        ``module:attribute`` of the command's function, or of the group's `typer.Typer`.
    require : callable
        Called before the import. Raises `ModuleNotFoundError` if a required package is missing.
    hidden : bool
        Whether to leave the command out of the list of commands.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        target: str,
        require: Callable[[], None] = _require_nothing,
        *,
        hidden: bool = False,
    ) -> None:
        super().__init__(name, help=summary, callback=None, hidden=hidden)
        self._target = target
        self._require = require

    def loaded(self) -> Any:
        """Import the command or group, and return it."""
        try:
            self._require()
        except ModuleNotFoundError as error:
            typer.echo(f"wassay: {error}", err=True)
            raise typer.Exit(1) from error
        module, _, attribute = self._target.partition(":")
        command = getattr(_imported(module), attribute)
        application = typer.Typer(rich_markup_mode=None, add_completion=False)
        if isinstance(command, typer.Typer):
            application.add_typer(command, name=self.name)
        else:
            application.command(self.name)(command)
        return typer.main.get_group(application).commands[str(self.name)]


def _imported(module: str) -> Any:
    """Import a module without garbage collection."""
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.enable()
        _freeze_once()


@cache
def _freeze_once() -> None:
    """Exempt all objects from garbage collection, because they live as long as the process.

    To scan them takes as long as the imports themselves. Later calls in the process do nothing.
    """
    gc.freeze()


def commands_of(
    package: str,
    summaries: Mapping[str, str],
    require: Callable[[], None] = _require_nothing,
    *,
    hidden: bool = False,
) -> list[LazyCommand]:
    """Return the commands of a package, which has a module for each.

    Parameters
    ----------
    package : str
        The module of a command has a function, or a `typer.Typer`, of the same name.
    summaries : mapping of str to str
        For each command's name, one line for the list of commands.
    require : callable
    hidden : bool
        Passed to every `LazyCommand`.

    Returns
    -------
    list of LazyCommand
    """
    names = {each: each.replace("-", "_") for each in summaries}
    return [
        LazyCommand(each, summary, f"{package}.{names[each]}:{names[each]}", require, hidden=hidden)
        for each, summary in summaries.items()
    ]


def plug_ins() -> Iterable[LazyCommand]:
    """Return the commands of plug-ins: packages with entry points in `GROUP`."""
    for entry_point in entry_points(group=GROUP):
        yield from entry_point.load()


class Commands(TyperGroup):
    """A group of commands that imports only the command that is called."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; explain refused values and missing arguments."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            explain_value(error)
            explain_missing(error)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command that was called; return its name, the command, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, LazyCommand) else command, rest
