"""Write a body to a file block by block while it arrives, and hash and check it."""

import asyncio
import hashlib
import os
from types import TracebackType
from typing import BinaryIO, Self

from anyio import CancelScope, to_thread

from .entry_validation import ArrayCheck

BLOCK_BYTES = 2**20
# So little is left to write at the end.
FLUSHED_BYTES = 2**23
"""Number of bytes after which the disk is told to begin writing them."""


class CheckedFile:
    """An open file that hashes and checks each block that is written to it.

    Parameters
    ----------
    sink
        The open file, positioned where the first block belongs.
    check
        Checks the blocks. None: the blocks are only hashed.
    """

    def __init__(self, sink: BinaryIO, check: ArrayCheck | None = None) -> None:
        self._sink = sink
        self._check = check
        self._sha256 = hashlib.sha256()
        self._written = self._flushed = sink.tell()

    @property
    def digest(self) -> str:
        """SHA-256 of the blocks, in hex."""
        return self._sha256.hexdigest()

    def write(self, *pieces: bytes) -> None:
        """Write the next block, given in one or more pieces."""
        block = b"".join(pieces)
        self._sha256.update(block)
        self._sink.write(block)
        self._written += len(block)
        if self._written - self._flushed >= FLUSHED_BYTES:
            _begin_to_flush(self._sink, self._flushed, self._written)
            self._flushed = self._written
        if self._check is not None:
            self._check.add(block)


class BodyWriter:
    """Write a body to a `CheckedFile` in a thread, each block while the next one arrives.

    Close the file only after the `async with` block.
    """

    def __init__(self, file: CheckedFile) -> None:
        self._file = file
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._writing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the thread; ignore its error, so that an error of the `with` block is raised."""
        if self._writing is not None:
            with CancelScope(shield=True):
                await asyncio.wait([self._writing])
            self._writing.exception()  # otherwise asyncio would log the error as never retrieved

    async def write(self, piece: bytes) -> None:
        """Take the next bytes; write them once they complete a block.

        Wait only for the previous block to be written.
        """
        self._pending.append(piece)
        self._pending_bytes += len(piece)
        if self._pending_bytes >= BLOCK_BYTES:
            await self._hand_over()

    async def finish(self) -> None:
        """Write the remaining bytes, and wait until all bytes are written."""
        await self._hand_over()
        await self._settle()

    async def _hand_over(self) -> None:
        await self._settle()
        block, self._pending, self._pending_bytes = self._pending, [], 0
        self._writing = asyncio.create_task(to_thread.run_sync(self._file.write, *block))

    async def _settle(self) -> None:
        if self._writing is not None:
            await self._writing
            self._writing = None


def _begin_to_flush(sink: BinaryIO, start: int, end: int) -> None:
    """Tell Linux to begin to write a range of bytes to the disk."""
    if hasattr(os, "posix_fadvise"):
        sink.flush()
        os.posix_fadvise(sink.fileno(), start, end - start, os.POSIX_FADV_DONTNEED)
