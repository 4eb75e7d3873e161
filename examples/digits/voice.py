"""Lines that say who speaks."""

from collections.abc import Callable

WIDTH = 12


def speaker(name: str) -> Callable[[str], None]:
    """Return a way to print lines that begin with a name."""
    return lambda line: print(f"  {name:<{WIDTH}}  {line}", flush=True)
