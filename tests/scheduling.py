"""Which process runs which test, where pytest-xdist starts several."""

from xdist.scheduler import LoadScopeScheduling

SERVICES = ("tests/app/evaluations/", "tests/e2e/", "tests/app/", "tests/jobs/")
"""Folders whose tests share a service, started once for each database; the first that fits."""
BY_THEMSELVES = (
    "tests/app/arrays/test_bucket.py",
    "tests/app/http/test_logs.py",
    "tests/app/test_openapi_fuzz.py",
    "tests/e2e/test_nginx.py",
    "tests/programs/test_least_privilege.py",
    "tests/programs/test_wheel.py",
    "tests/report/test_advice.py",
    "tests/report/test_report.py",
)
"""Modules whose tests share processes of their own, a wheel, or what takes seconds to make up."""
PARTIES = ("test_bare_sdk.py", "test_command_line.py", "test_snippets.py", "test_tutorials.py")
"""Modules of `tests/programs` whose tests share a service with the default settings."""


class OneProcessAService(LoadScopeScheduling):
    """Hands out test by test, but all tests of one service to one process, and these first.

    Marks of pytest-xdist's own groups do not reach the one who hands out: it writes them into an
    attribute of a test that pytest 9 no longer names the test by.
    """

    def _split_scope(self, nodeid: str) -> str:
        for module in BY_THEMSELVES:
            if nodeid.startswith(module):
                return module
        if nodeid.startswith(tuple(f"tests/programs/{module}" for module in PARTIES)):
            return "tests/programs with parties"
        for folder in SERVICES:
            for kind in ("sqlite", "postgres"):
                if nodeid.startswith(folder) and kind in nodeid.partition("[")[2]:
                    return f"{folder} on {kind}"
        return nodeid
