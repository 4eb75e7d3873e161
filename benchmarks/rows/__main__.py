"""Measure what drawing a sample of a Parquet file takes, and the audit of a long one.

python -m benchmarks.rows [--bytes 2e9]

Writes a table of random numbers, 100 columns wide, to a temporary folder, and reads it in processes
of their own. Memory is the largest resident set, as Linux counts it, less that before the file was
opened.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from wassay.table import table

COLUMNS, GROUP_ROWS, AUDITED_ROWS = 100, 2**20, 400_000
SAMPLES = (2_000, 20_000, 100_000)

DRAW = """
import sys, time
from pathlib import Path
import pyarrow.parquet
from wassay.files import read_sample
from wassay.sampling import Sample

def peak():  # getrusage starts from the peak of the process that started this one
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024

before, begun = peak(), time.process_time()
rows = read_sample(Path(sys.argv[1]), Sample(int(sys.argv[2]), seed=7)).rows
print(rows.nbytes / 2**20, peak() - before, time.process_time() - begun)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bytes", type=float, default=2e9, help="size of the file to sample")
    size = int(parser.parse_args().bytes) // (8 * COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        long, audited = Path(folder) / "long.parquet", Path(folder) / "audited.parquet"
        write(long, size)
        rows = [(f"{count:,} of {size:,}", *drawn(long, count)) for count in SAMPLES]
        print(table(("rows", "MiB of the sample", "MiB of memory", "processor s"), rows))
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


def drawn(path: Path, rows: int) -> tuple[str, ...]:
    """Draw a sample; return its size, and the memory and time that took."""
    size, memory, seconds = map(float, run("-c", DRAW, str(path), str(rows)).split())
    return f"{size:.0f}", f"{memory:.0f}", f"{seconds:.1f}"


def run(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return done.stdout


def processor_seconds() -> float:
    """Return the processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
