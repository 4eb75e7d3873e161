"""Measure the memory and time of answering with a sample of a Parquet file, and of a long audit.

`python -m benchmarks.rows [--bytes 2e9]` writes the file to a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tests.e2e.service import parties, running_service
from wassay import Buyer
from wassay.table import table

COLUMNS, GROUP_ROWS, AUDITED_ROWS = 100, 2**20, 400_000
SAMPLES = (2_000, 20_000, 100_000)

ASKED_ROWS = 2_000
MARGIN = 200.0  # megabytes that `answer` may take beside twice the sample


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bytes", type=float, default=2e9, help="size of the file to sample")
    size = int(parser.parse_args().bytes) // (8 * COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        long, audited = Path(folder) / "long.parquet", Path(folder) / "audited.parquet"
        write(long, size)
        header = ("answer", "rows", "MB of the sample", "MB of memory", "at most", "processor s")
        print(table(header, list(answers(long, Path(folder)))))
        long.unlink()
        write(audited, AUDITED_ROWS)
        before = processor_seconds()
        run("-m", "wassay", "audit", str(audited))
        seconds = processor_seconds() - before
    print(f"\nwassay audit of {AUDITED_ROWS:,} × {COLUMNS}: {seconds:.1f} s of a processor")


def write(path: Path, rows: int) -> None:
    """Write a table of random numbers, a row group at a time."""
    random = np.random.default_rng(1)
    schema = pa.schema([(f"c{column}", pa.float64()) for column in range(COLUMNS)])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, GROUP_ROWS):
            size = min(GROUP_ROWS, rows - start)
            columns = [random.normal(size=size) for _ in range(COLUMNS)]
            writer.write_table(pa.table(columns, schema=schema), GROUP_ROWS)


def answers(file: Path, folder: Path) -> Iterator[tuple[str, ...]]:
    """Answer a request with samples of a file; yield the memory and the time of each answer."""
    os.environ["WASSAY_PROFILE"] = str(folder / "profile.json")
    with ExitStack() as stack:
        service = stack.enter_context(running_service(folder, {"WASSAY_LOG_LEVEL": "WARNING"}))
        new = stack.enter_context(parties(service))
        asked = next(parquet.ParquetFile(file).iter_batches(ASKED_ROWS))
        request = Buyer(new("buyer").client).ask(pa.table(asked), title="Many rows")
        for rows in SAMPLES:
            for way in ("sdk", "command"):
                seller = new("seller")
                request.invite(seller.account_id)
                arguments = ("-m", "benchmarks.rows.seller", way, request.id, str(file), str(rows))
                told = run(*arguments, environment=seller.environment).stderr.splitlines()[-1]
                peak, seconds, *modules = told.split()
                imports = run("-m", "benchmarks.rows.seller", "imports", told=" ".join(modules))
                # The largest resident sets, minus what the imported modules take.
                sample, memory = rows * COLUMNS * 8 / 1e6, float(peak) - float(imports.stdout)
                most = 2 * sample + MARGIN
                shown = (f"{each:.0f}" for each in (sample, memory, most))
                yield (way, f"{rows:,}", *shown, f"{float(seconds):.1f}")


def run(
    *arguments: str, environment: Mapping[str, str] | None = None, told: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run Python in another process, and return what it wrote."""
    return subprocess.run(  # noqa: S603 - ours
        [sys.executable, *arguments],
        input=told,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


def processor_seconds() -> float:
    """Return the processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
