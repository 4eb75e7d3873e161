"""Explain missing arguments: what was expected, what was received, and how to write the command."""

from __future__ import annotations

import shlex
from typing import Any

import typer


def explain_missing(refused: typer.BadParameter) -> None:
    """Set the message of an error about a missing argument; leave other errors unchanged.

    The message ends with the command to write.
    """
    context: Any = refused.ctx
    missing: Any = refused.param
    if refused.message or context is None or missing is None:  # not a missing argument
        return
    if missing.param_type_name != "argument":
        return
    arguments = [each for each in context.command.params if each.param_type_name == "argument"]
    given = [each for each in arguments if context.params.get(each.name) not in (None, ())]
    received = ", ".join(shlex.quote(str(context.params[each.name])) for each in given)
    call = " ".join(
        shlex.quote(str(context.params[each.name])) if each in given else each.name.upper()
        for each in arguments
    )
    meaning = (missing.help or missing.name).partition(". ")[0].rstrip(".")
    refused.message = (
        f"Expected {meaning[0].lower()}{meaning[1:]}, received {received or 'nothing'}: write "
        f"{context.command_path} {call}"
    )
