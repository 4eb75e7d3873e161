"""Remove what Python lacks on Windows; see `test_where_there_is_no_posix_the_sdk_works`."""

import os
import signal
import sys
from typing import Any

# Import the installed Linux version first, because it uses what is removed.
import filelock  # noqa: F401

ABSENT = {"fcntl", "grp", "posix_ipc", "pwd", "resource", "syslog", "termios", "tty"}
OF_OS = (
    *("chown", "fchown", "fork", "getegid", "geteuid", "getgid", "getuid", "killpg"),
    *("register_at_fork", "setsid", "sysconf", "O_CLOEXEC", "O_NOFOLLOW"),
)


class Without:
    """A finder that does not find the modules in `ABSENT`."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Find a module, unless it is in `ABSENT`."""
        return None if name in ABSENT else self._finder.find_spec(name, path, target)


sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
for name in ABSENT:
    sys.modules.pop(name, None)
for name in OF_OS:
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "SIGUSR1"):
    delattr(signal, name)
