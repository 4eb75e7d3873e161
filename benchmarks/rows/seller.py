"""A seller's process: answer a request with a sample of a Parquet file, and print its memory.

python -m benchmarks.rows.seller (sdk | command) REQUEST FILE ROWS
python -m benchmarks.rows.seller imports < MODULES
"""

import importlib
import sys
import time
from contextlib import suppress
from pathlib import Path


def main() -> None:
    if sys.argv[1] == "imports":  # print how many megabytes the imports take
        for name in sys.stdin.read().split():
            with suppress(Exception):  # such as modules that a package makes while it runs
                importlib.import_module(name)
        print(peak())
        return
    # Print the megabytes, the processor seconds and the imported modules.
    way, request, file, rows = sys.argv[1:]
    (by_sdk if way == "sdk" else by_command)(request, file, rows)
    print(peak(), time.process_time(), *sys.modules, file=sys.stderr)


def by_sdk(request: str, file: str, rows: str) -> None:
    import wassay
    from wassay.files import read_sample

    sampled = read_sample(Path(file), wassay.Sample(int(rows), seed=7))
    with wassay.Client() as client:
        wassay.Seller(client).answer(request, sampled)


def by_command(request: str, file: str, rows: str) -> None:
    from wassay.cli import main as wassay

    sys.argv[1:] = ["answer", request, file, "--sample", rows, "--sample-seed", "7"]
    with suppress(SystemExit):
        wassay()


def peak() -> float:
    """Return this process's largest resident set; getrusage would begin with the parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


if __name__ == "__main__":
    main()
