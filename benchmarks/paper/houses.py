"""The Ames houses, from R's package `modeldata` to a table that `make paper` reads.

python -m benchmarks.paper.houses FOLDER HOUSES.csv
"""

from __future__ import annotations

import gzip
import lzma
import math
import sys
from pathlib import Path
from typing import Any

from rdata.conversion import convert
from rdata.parser import parse_data

HEADER_BYTES = 5
"""In front of an object: the length of what it expands to, and a letter for how."""
RAW = [{"id": lzma.FILTER_LZMA2, "preset": 6}]


def main() -> None:
    """Keep the columns of numbers; the last is the logarithm of the price."""
    folder, out = map(Path, sys.argv[1:])
    index = read(gzip.decompress((folder / "Rdata.rdx").read_bytes()))
    start, length = map(int, index["variables"]["ames"])
    packed = (folder / "Rdata.rdb").read_bytes()[start : start + length]
    object_ = lzma.decompress(packed[HEADER_BYTES:], lzma.FORMAT_RAW, filters=RAW)
    houses = read(object_).select_dtypes("number")
    prices = houses.pop("Sale_Price")
    houses["Sale_Price"] = prices.map(math.log10)
    houses.to_csv(out, index=False)


def read(serialised: bytes) -> Any:
    """What R wrote, as Python and pandas have it."""
    return convert(parse_data(serialised, extension=".rds"))


if __name__ == "__main__":
    main()
