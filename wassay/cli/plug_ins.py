"""Commands of other packages: listed by name, imported when somebody calls one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

GROUP = "wassay.commands"
"""Entry points of this group name a list of `PlugIn`; to read it must not load what they need."""


class PlugIn(TyperCommand):
    """A command, or a group of some, that is not loaded yet.

    Parameters
    ----------
    name : str
    summary : str
        One line for the list of commands.
    target : str
        ``module:attribute`` of the function, or of the `typer.Typer`.
    require : callable
        Called before the module is imported; raises `ModuleNotFoundError`, with a sentence, if
        something that it needs is not there.
    hidden : bool
        Whether the list of commands leaves it out.
    """

    def __init__(
        self, name: str, summary: str, target: str, require: Callable[[], None], *, hidden: bool
    ) -> None:
        super().__init__(name, help=summary, callback=None, hidden=hidden)
        self._target = target
        self._require = require

    def loaded(self) -> Any:
        """The command itself."""
        try:
            self._require()
        except ModuleNotFoundError as error:
            typer.echo(f"wassay: {error}", err=True)
            raise typer.Exit(1) from error
        module, _, attribute = self._target.partition(":")
        command = getattr(import_module(module), attribute)
        application = typer.Typer(rich_markup_mode=None, add_completion=False)
        if isinstance(command, typer.Typer):
            application.add_typer(command, name=self.name)
        else:
            application.command(self.name)(command)
        return typer.main.get_group(application).commands[str(self.name)]


class Commands(TyperGroup):
    """Our own commands, then those of plug-ins."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for entry_point in entry_points(group=GROUP):
            for plug_in in entry_point.load():
                self.add_command(plug_in)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Load the command that was called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, PlugIn) else command, rest
