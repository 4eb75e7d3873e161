"""Commands of `wassay`, run in the process of the tests, because each start takes a second."""

import io
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from app.settings import get_settings
from wassay.cli import lazy_commands, main

SERVICE = EntryPoint("service", "app.commands:commands", lazy_commands.GROUP)
"""Loads `app`, not the installed `wassay.server`: one process must not load both."""


@dataclass(frozen=True)
class Run:
    """The exit status and the output of a command."""

    returncode: int
    stdout: str
    stderr: str


def typed(folder: Path, variables: Mapping[str, str], *arguments: object, stdin: str = "") -> Run:
    """Run one command in a folder, with some variables of the environment set."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as process,
        redirect_stdout(stdout),
        redirect_stderr(stderr),
    ):
        for name, value in variables.items():
            process.setenv(name, value)
        process.chdir(folder)
        process.setattr(lazy_commands, "entry_points", lambda group: [SERVICE])
        process.setattr(sys, "argv", ["wassay", *map(str, arguments)])
        process.setattr(sys, "stdin", io.StringIO(stdin))
        get_settings.cache_clear()  # settings are read once in a process
        with pytest.raises(SystemExit) as ended:
            main()
    get_settings.cache_clear()
    assert isinstance(ended.value.code, int)
    return Run(ended.value.code, stdout.getvalue(), stderr.getvalue())
