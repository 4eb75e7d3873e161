"""The page of the problem types, from the classes of the service."""

from collections.abc import Iterator

import app.main
import app.worker  # noqa: F401 - to know the problems of jobs
from app.http.problems import Problem
from website.markdown import code, table

BEFORE = """# Problems

Errors are `application/problem+json` (RFC 9457). `type` is `/problems/` and one of these names,
which stay the same. `detail` says what was expected, what was received and what to do. An
evaluation that failed has such a `problem`, too.

"""


def problem_page() -> str:
    """Return the page."""
    rows = sorted(
        (code(each.slug), str(each.status), (each.__doc__ or "").partition("\n")[0])
        for each in _problems(Problem)
        if each.__module__.startswith(("app.", "wassay.server."))
    )
    return BEFORE + table(("type", "status", "what it means"), rows)


def _problems(base: type[Problem]) -> Iterator[type[Problem]]:
    for each in base.__subclasses__():
        if "slug" in vars(each):
            yield each
        yield from _problems(each)
