"""Which process runs which test, if pytest-xdist starts several processes."""

from xdist.scheduler import LoadScopeScheduling

SERVICES = ("tests/app/evaluations/", "tests/e2e/", "tests/app/", "tests/jobs/")
"""Folders whose tests share a service for each database; the first matching folder counts."""
BY_THEMSELVES = (
    "tests/app/arrays/test_bucket.py",
    "tests/app/http/test_logs.py",
    "tests/app/test_openapi_fuzz.py",
    "tests/benchmarks/paper/test_reproduction.py",
    "tests/e2e/test_nginx.py",
    "tests/programs/test_least_privilege.py",
    "tests/programs/test_wheel.py",
    "tests/report/test_advice.py",
    "tests/report/test_report.py",
)
"""Modules whose tests share processes, a wheel, compiled code, or data that take seconds."""
PARTIES = (
    "test_bare_sdk.py",
    "test_command_line.py",
    "test_howto.py",
    "test_inviting.py",
    "test_snippets.py",
    "test_tutorials.py",
)
"""Modules of `tests/programs` whose tests share a service with the default settings."""


# pytest-xdist's own marks for groups do not reach the scheduler: xdist writes them into an
# attribute of the test from which pytest 9 no longer takes the test's id.
class OneProcessAService(LoadScopeScheduling):
    """Distributes single tests, but all tests of one service to one process, and these first."""

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
