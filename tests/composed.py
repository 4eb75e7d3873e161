"""The compose file, as it reads with variables put in."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parents[1] / "compose.yaml"
VARIABLE = re.compile(r"\$\{(\w+):[-?]([^}]*)\}")


def composed(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the file's content; of a variable that is not given, what it is otherwise."""

    def value(found: re.Match[str]) -> str:
        return variables.get(found[1], found[2])

    content: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, FILE.read_text()))
    return content
