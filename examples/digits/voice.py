"""Print lines with the name of their speaker."""

from collections.abc import Callable

WIDTH = 12


def speaker(name: str) -> Callable[[str], None]:
    """Return a function that prints lines that begin with a name."""
    return lambda line: print(f"  {name:<{WIDTH}}  {line}", flush=True)
