"""The content of the compose file after its variables are replaced."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parents[1] / "compose.yaml"
VARIABLE = re.compile(r"\$\{(\w+):[-?]([^}]*)\}")


def composed(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the file's content; a missing variable has its default, or its error message."""

    def value(found: re.Match[str]) -> str:
        return variables.get(found[1], found[2])

    content: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, FILE.read_text()))
    return content
