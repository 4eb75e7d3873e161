"""Which process runs which test, where pytest-xdist starts several."""

from xdist.scheduler import LoadScopeScheduling

SERVICES = ("tests/app/evaluations/", "tests/e2e/")
"""Folders whose tests share a service, started once for each database."""
BEHIND_A_PROXY = "tests/e2e/test_nginx.py"
"""Its tests share a service of their own."""


class OneProcessAService(LoadScopeScheduling):
    """Hands out test by test, but all tests of one service to one process, and these first.

    Marks of pytest-xdist's own groups do not reach the one who hands out: it writes them into an
    attribute of a test that pytest 9 no longer names the test by.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(BEHIND_A_PROXY):
            return BEHIND_A_PROXY
        for folder in SERVICES:
            for kind in ("sqlite", "postgres"):
                if nodeid.startswith(folder) and kind in nodeid.partition("[")[2]:
                    return f"{folder} on {kind}"
        return nodeid
