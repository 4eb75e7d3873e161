"""Convert the Ames houses from R's package `modeldata` to a table that `make paper` reads.

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
"""Header of an object: its expanded length, and a letter for the compression."""
RAW = [{"id": lzma.FILTER_LZMA2, "preset": 6}]


def main() -> None:
    """Select the numeric columns; the last is the logarithm of the price."""
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
    """Convert R's object to Python and pandas."""
    return convert(parse_data(serialised, extension=".rds"))


if __name__ == "__main__":
    main()
