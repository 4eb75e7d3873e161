"""Time the operations of an array store, and count the operations that fail."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from prometheus_client import Counter, Histogram

from ..http.problems import Problem
from .problems import StorageDamaged, StorageFull, StorageUnavailable
from .store import ArrayStore

OPERATIONS = ("check", "delete", "fetch", "read", "sweep", "write")
OS_ERROR = "os-error"
ERRORS = (OS_ERROR, *(kind.slug for kind in (StorageDamaged, StorageFull, StorageUnavailable)))

durations = Histogram(
    "wassay_store_operation_duration_seconds",
    "Seconds that an operation of the store of arrays took; for `read`, until the first bytes.",
    ["operation"],
    buckets=(0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 120.0),
)
errors = Counter(
    "wassay_store_errors",
    "Failed operations of the store of arrays, by the problem's name or `os-error`.",
    ["operation", "problem"],
)
for operation in OPERATIONS:
    durations.labels(operation)
    for error in ERRORS:
        errors.labels(operation, error)


@contextmanager
def timed(operation: str) -> Iterator[None]:
    """Time the `with` block as an operation of this name; count the operation if it fails."""
    began = time.perf_counter()
    try:
        yield
    except Problem as problem:
        errors.labels(operation, problem.slug).inc()
        raise
    except OSError:
        errors.labels(operation, OS_ERROR).inc()
        raise
    finally:
        durations.labels(operation).observe(time.perf_counter() - began)


class MeteredStore(ArrayStore):
    """An array store that times its operations, for processes that expose metrics."""

    def check(self) -> None:
        """Check the store, timed as one operation."""
        with timed("check"):
            super().check()

    def check_disk(self) -> None:
        """Check the disk, timed as one operation."""
        with timed("check"):
            super().check_disk()

    def check_rights(self) -> None:
        """Check the rights in the bucket, timed as one operation."""
        with timed("check"):
            super().check_rights()

    def make_durable(self, file: Path, digest: str) -> None:
        """Make a file durable, timed as one operation."""
        with timed("write"):
            super().make_durable(file, digest)

    def put(self, file: Path, digest: str) -> None:
        """Store a file, timed as one operation."""
        with timed("write"):
            super().put(file, digest)

    def delete(self, digest: str) -> None:
        """Delete stored bytes, timed as one operation."""
        with timed("delete"):
            super().delete(digest)

    def stream(self, digest: str) -> Generator[bytes, None, None]:
        """Open stored bytes, timed as one operation. The reading is not timed."""
        with timed("read"):
            return super().stream(digest)

    def _local_path(self, digest: str, *, removes_old: bool) -> Path:
        """Return the path of a local file with stored bytes, timed as one operation.

        If `removes_old`, remove old copies before the bytes are fetched from the bucket.
        """
        with timed("fetch"):
            return super()._local_path(digest, removes_old=removes_old)

    def remove_unreferenced(self, referenced: Callable[[], set[str]], older_than: timedelta) -> int:
        """Remove old arrays that nothing refers to, timed as one operation."""
        with timed("sweep"):
            return super().remove_unreferenced(referenced, older_than)
