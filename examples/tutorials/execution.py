"""Run the blocks of a tutorial one after the other, as a notebook does."""

import ast
import gc
import io
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from examples.tutorials.page import Block, Prose


def executed(parts: Sequence[Prose | Block]) -> list[Prose | Block]:
    """Run the blocks of a page in one namespace, and return the page with what they print now.

    A block prints the value of its last expression too, and warnings by their message.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    now = [
        part if isinstance(part, Prose) else Block(part.source, printed(part.source, names))
        for part in parts
    ]
    with warnings.catch_warnings():
        # A notebook leaves its clients open until it ends.
        warnings.simplefilter("ignore", ResourceWarning)
        names.clear()
        gc.collect()
    return now


def printed(source: str, names: dict[str, Any]) -> str:
    """Run a block, and return what it prints."""
    body = ast.parse(source).body
    last = body[-1] if body else None
    if isinstance(last, ast.Expr):
        body.pop()
    output = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, redirect_stdout(output):
        warnings.simplefilter("always", UserWarning)
        exec(compile(ast.Module(body, []), "<tutorial>", "exec"), names)  # noqa: S102 - our pages
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "<tutorial>", "eval"), names)  # noqa: S307
            if shown is not None:
                print(repr(shown))
    warned = "".join(f"{each.category.__name__}: {each.message}\n" for each in caught)
    lines = (warned + output.getvalue()).rstrip().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)
