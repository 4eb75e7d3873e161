"""Convert a tutorial to a Jupyter notebook with outputs."""

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from examples.tutorials.page import Block, Prose


def notebook(parts: Sequence[Prose | Block]) -> str:
    """Return the notebook of a page: its prose, and each block with what it printed."""
    document = {
        "cells": list(_cells(parts)),
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cells(parts: Sequence[Prose | Block]) -> Iterator[dict[str, Any]]:
    executions = count(1)
    for number, part in enumerate(parts):
        cell = {"id": f"part-{number}", "metadata": {}}
        if isinstance(part, Block):
            yield {
                "cell_type": "code",
                "execution_count": next(executions),
                **cell,
                "outputs": _outputs(part.output),
                "source": part.source.rstrip("\n").splitlines(keepends=True),
            }
        elif text := part.text.strip("\n"):
            yield {"cell_type": "markdown", **cell, "source": text.splitlines(keepends=True)}


def _outputs(printed: str) -> list[dict[str, Any]]:
    if not printed:
        return []
    lines = printed.splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": lines}]
