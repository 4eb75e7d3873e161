"""Translate the SDK's advice about arguments into advice about options of the command line."""

import ast
import re
import shlex

OPTIONS = {"rename": "--rename", "factors": "--factor", "accept_differences": "--accept"}
_ARGUMENT = re.compile(rf"\b({'|'.join(OPTIONS)})=(\{{[^{{}}]*\}}|\[[^\[\]]*\])")
_OF_THE_CLIENT = re.compile(r"\bpass (base_url|api_key)=, or set\b")


def with_options(advice: str) -> str:
    """Replace arguments such as ``rename={'mine': 'theirs'}`` by ``--rename mine=theirs``.

    The advice to pass `base_url` or `api_key` is removed, as there are no such options.
    """
    return _ARGUMENT.sub(_as_options, _OF_THE_CLIENT.sub("set", advice))


def _as_options(found: "re.Match[str]") -> str:
    option = OPTIONS[found[1]]
    try:
        values = ast.literal_eval(found[2])
    except (SyntaxError, ValueError):  # A name contains brackets or quotes.
        return found[0]
    pairs = values.items() if isinstance(values, dict) else ((value,) for value in values)
    return " ".join(f"{option} {shlex.quote('='.join(map(str, pair)))}" for pair in pairs)
