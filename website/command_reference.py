"""Pages of the command line, from the commands themselves."""

from collections.abc import Iterable, Iterator
from typing import Any

import typer

from app.commands import commands
from wassay import cli
from wassay.cli.lazy_commands import LazyCommand
from website.markdown import code, table


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page."""
    yield "commands.md", _page("Commands of buyers and sellers", cli.own_commands())
    yield "operator_commands.md", _page("Commands of operators", commands)


def _page(title: str, listed: Iterable[LazyCommand]) -> str:
    sections = (
        section for each in listed for section in _described(f"wassay {each.name}", each.loaded())
    )
    return f"# {title}\n\n{''.join(sections)}"


def _described(name: str, command: Any) -> Iterator[str]:
    """Yield a section for a command, or for each command of a group."""
    if hasattr(command, "commands"):
        for each, inner in command.commands.items():
            yield from _described(f"{name} {each}", inner)
        return
    context = typer.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    told = "\n".join(line.strip() for line in (command.help or "").splitlines())
    records = [each.get_help_record(context) for each in command.params]
    rows = [(code(each[0]), each[1]) for each in records if each]
    yield f"## {name}\n\n{told}\n\n```text\n{name} {usage}\n```\n\n"
    yield table(("argument or option", "what it is"), rows)
