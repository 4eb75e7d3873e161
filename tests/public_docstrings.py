"""Lint the docstrings of public modules: `python -m tests.public_docstrings [MODULE …]`.

`tool.numpydoc_validation` in pyproject.toml names the modules and numpydoc's checks.
"""

import dataclasses
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from numpydoc.docscrape import ClassDoc
from numpydoc.validate import validate
from typing_extensions import is_protocol

# `returned` are the classes that callers receive and never construct, whose parameters need no
# documentation.
SETTINGS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["tool"][
    "numpydoc_validation"
]


RUN_IN_HEADING = re.compile(r"[A-Z]\w+ -{4,}")
"""A section's heading and its underline in one line, which numpydoc takes for prose."""


def mistakes(modules: list[str]) -> Iterator[str]:
    """Yield `file:line: name: check message` for each check that fails."""
    seen = set()
    for name, thing in (each for module in modules for each in _public(module)):
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        found = validate(name)
        for heading in RUN_IN_HEADING.findall(thing.__doc__ or ""):
            yield f"{found['file']}:{found['file_line']}: {name}: no line break in {heading!r}"
        for check, message in found["errors"]:
            if check in SETTINGS["checks"] and not (
                check == "PR01"
                and inspect.isclass(thing)
                and (name in SETTINGS["returned"] or _has_its_parameters(thing))
            ):
                yield f"{found['file']}:{found['file_line']}: {name}: {check} {message}"


def _public(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the public classes of a module, their methods, and its functions."""
    loaded = import_module(module)
    names = getattr(loaded, "__all__", None) or [
        name
        for name, thing in vars(loaded).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module
    ]
    for name in names:
        thing = getattr(loaded, name)
        if inspect.isfunction(thing):
            yield f"{module}.{name}", thing
        if not inspect.isclass(thing):
            continue
        yield f"{module}.{name}", thing
        for attribute, value in vars(thing).items():
            if attribute.startswith("_"):
                continue
            if hasattr(value, "flow"):  # an operation, whose signature is that of its flow
                yield f"{module}.{name}.{attribute}.flow", value
            elif isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(
                value
            ):
                yield f"{module}.{name}.{attribute}", value


def _has_its_parameters(kind: type) -> bool:
    """Whether a class needs no parameters documented.

    Such a class inherits them, documents its fields as attributes, or is an exception or a
    protocol.
    """
    if "__init__" not in vars(kind) or issubclass(kind, Exception) or is_protocol(kind):
        return True
    documented = [each for parent in kind.__mro__[:-1] for each in ClassDoc(parent)["Attributes"]]
    attributes = {name for each in documented for name in each.name.split(", ")}
    return dataclasses.is_dataclass(kind) and attributes >= {
        each.name for each in dataclasses.fields(kind) if each.init
    }


if __name__ == "__main__":
    sys.exit("\n".join(mistakes(sys.argv[1:] or SETTINGS["modules"])) or None)
