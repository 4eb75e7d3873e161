"""Read the parties' arrays from the store, and fetch those that are in a bucket alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from wassay.transport import Measure

from ...arrays import npy
from ...arrays.entry_validation import split_weights
from ...arrays.store import ArrayStore
from ...contributions.modes.array_mode import SellerArrays
from .process_messages import (
    ArrayTask,
    EvaluationTask,
    MeasureTask,
    SellerTask,
    StoreTask,
)

if TYPE_CHECKING:
    from ...arrays.columns import StoredArrayColumns

BUCKET_RETRY_SECONDS = 120.0
"""How long to retry to read from a bucket: longer than for a call, so that a computation waits."""
STORE_THREADS = 8
SMALL_BYTES = 2**16
"""Arrays of up to this size are copied to memory, because an evaluation reads each several times.
"""


def store_of(task: EvaluationTask) -> ArrayStore:
    """Open the store that holds a task's arrays."""
    return _opened(task.store)


@lru_cache(maxsize=1)
def _opened(store: StoreTask) -> ArrayStore:
    bucket = None
    if store.bucket is not None:
        # Imported here, because the import is slow and few services have a bucket.
        from ...arrays.bucket import Bucket

        bucket = Bucket(store.bucket, BUCKET_RETRY_SECONDS)
    return ArrayStore(Path(store.folder), bucket, store.copies_bytes)


def local_files(task: EvaluationTask, store: ArrayStore) -> list[Path]:
    """Return the files of all arrays of a task; fetch arrays that this machine lacks."""
    digests = {task.buyer.digest} | {
        array.digest for seller in task.sellers for array in seller.arrays
    }
    return store.local_paths(digests, store_threads())


@cache
def store_threads() -> ThreadPoolExecutor:
    """Return the threads in which this process waits for the store."""
    return ThreadPoolExecutor(STORE_THREADS, "store")


def read_buyer(store: ArrayStore, measure: MeasureTask) -> Measure:
    """Read the buyer's measure, without the classes of its points."""
    entries, weights = _entries(store, measure)
    return Measure(entries[:, :-1] if measure.labelled else entries, weights)


def read_buyer_classes(store: ArrayStore, measure: MeasureTask) -> NDArray[Any]:
    """Read the class number of each of the buyer's points; call this only for labelled points."""
    entries, _ = _entries(store, measure)
    return np.asarray(entries[:, -1])


def read_arrays(store: ArrayStore, seller: SellerTask, *, labelled: bool) -> SellerArrays:
    """Map a seller's arrays at every s into memory, and read the weights.

    `labelled` states whether the request's points have labels.
    """
    read = {array.s: _entries(store, array) for array in seller.arrays}
    return SellerArrays(
        seller.contribution_id,
        {s: entries for s, (entries, _) in read.items()},
        {s: weights for s, (_, weights) in read.items()},
        seller.projection_spread,
        labelled,
    )


def read_weights(store: ArrayStore, array: StoredArrayColumns) -> NDArray[np.float64] | None:
    """Read the weights in an array's last column; None if the array has no weights."""
    if not array.weighted:
        return None
    mapped = npy.memory_map(store.local_path(array.digest))
    return np.asarray(split_weights(mapped, weighted=True)[1], dtype=np.float64)


@contextmanager
def small_arrays_in_memory() -> Iterator[None]:
    """While the block runs, keep the store open, and keep up to 256 small arrays in memory."""
    try:
        yield
    finally:
        _small_entries.cache_clear()
        _opened.cache_clear()


def _entries(
    store: ArrayStore, array: MeasureTask | ArrayTask
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    small = _small_entries(store, array.digest, array.weighted)
    if small is not None:
        return small
    mapped = npy.memory_map(store.local_path(array.digest))
    entries, weights = split_weights(mapped, weighted=array.weighted)
    return entries, cast("NDArray[np.float64]", weights)


@lru_cache(maxsize=256)
def _small_entries(
    store: ArrayStore, digest: str, weighted: bool
) -> tuple[NDArray[Any], NDArray[np.float64]] | None:
    """Return an array's entries and weights, in memory; None if the array exceeds `SMALL_BYTES`.

    If `weighted`, the last column holds the weights; otherwise all weights are equal.
    """
    file = store.local_path(digest)
    if file.stat().st_size > SMALL_BYTES:
        return None
    entries, weights = split_weights(npy.load(file), weighted=weighted)
    entries.flags.writeable = weights.flags.writeable = False
    return entries, cast("NDArray[np.float64]", weights)
