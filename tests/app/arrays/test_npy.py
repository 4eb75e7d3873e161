"""Reading `.npy` files from untrusted sources."""

import hashlib
import io
import itertools
import struct
import subprocess
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.arrays import npy
from app.arrays.entry_validation import POINTS, ArrayCheck
from app.arrays.problems import InvalidEntry, MalformedArray

GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"


def with_header(
    header: str | bytes, payload: bytes = b"", version: tuple[int, int] = (1, 0)
) -> bytes:
    text = header.encode("latin-1") if isinstance(header, str) else header
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + payload


def saved(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


HOSTILE = {
    "32 GiB declared in 128 bytes": with_header(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }".ljust(117) + "\n"
    ),
    "10¹² rows of a type without width": with_header(
        "{'descr': '|V0', 'fortran_order': False, 'shape': (1000000000000, 1), }"
    ),
    "a negative extent": with_header(
        "{'descr':'<f8','fortran_order':False,'shape':(-1,-1)}", b"0" * 8
    ),
    "extents whose product wraps around": with_header(
        "{'descr':'<f8','fortran_order':False,'shape':(4294967296, 4294967296)}"
    ),
    "an extent of 4,000 digits": with_header(
        "{'descr':'<f8','fortran_order':False,'shape':(" + "9" * 4000 + ",1)}"
    ),
    "a truth value for an extent": with_header(
        "{'descr':'<f8','fortran_order':False,'shape':(True,1)}", bytes(8)
    ),
    "no extents": with_header("{'descr':'<f8','fortran_order':False,'shape':()}", bytes(8)),
    "trailing bytes": with_header(GOOD, bytes(48) + b"x"),
    "a byte too few": with_header(GOOD, bytes(47)),
    "half a header": with_header(GOOD)[:40],
    "only the magic": b"\x93NUMPY",
    "nothing": b"",
    "big-endian": saved(np.ones((2, 2), dtype=">f8")),
    "complex": saved(np.ones((2, 2), dtype=complex)),
    "long double": saved(np.ones((2, 2), dtype=np.longdouble)),
    "half precision": saved(np.ones((2, 2), dtype=np.float16)),
    "integers": saved(np.ones((2, 2), dtype=np.int64)),
    "truth values": saved(np.ones((2, 2), dtype=bool)),
    "strings": saved(np.full((2, 2), "1.0")),
    "times": saved(np.zeros((2, 2), dtype="datetime64[s]")),
    "structured": saved(np.zeros((2, 2), dtype=[("x", "<f8")])),
    "pickled objects": saved(np.full((2, 2), None, dtype=object)),
    "one dimension": saved(np.ones(4)),
    "three dimensions": saved(np.ones((2, 2, 2))),
    "no rows": saved(np.ones((0, 3))),
    "no columns": saved(np.ones((3, 0))),
    "an .npz": b"PK\x03\x04" + bytes(100),
    "a bare pickle": b"\x80\x04K\x01.",
    "version 9": with_header(GOOD, bytes(48), version=(9, 0)),
    "a header of 4 GiB": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
    "a header above 10,000 bytes": with_header(GOOD + " " * 10_000, bytes(48)),
    "a header nested too deep": with_header("(" * 9_000),
    "a header that calls": with_header("__import__('os').getcwd()"),
    "a header that is no dictionary": with_header("[1, 2]"),
    "a header with another key": with_header(GOOD.replace("}", "'x': 1}"), bytes(48)),
    "a header without a key": with_header("{'descr': '<f8', 'shape': (2, 3)}", bytes(48)),
    "a header of NULs": with_header("\x00" * 50),
    "a header that is not UTF-8": with_header(b"\xff\xfe" * 30, version=(3, 0)),
    "an unhashable key": with_header("{[]: 1}"),
    "an order that is no truth value": with_header(
        "{'descr':'<f8','fortran_order':1,'shape':(1,1)}", bytes(8)
    ),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_is_not_a_plain_two_dimensional_array_is_refused(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "a.npy"
    file.write_bytes(content)
    with pytest.raises(MalformedArray) as refused:
        npy.read_header(file)
    assert len(refused.value.detail) < 400


def test_a_refused_type_is_named() -> None:
    with pytest.raises(MalformedArray, match=r"received the dtype '>f8'.*astype") as refused:
        npy._checked_dtype(">f8")
    assert refused.value.extensions == {"expected": ["<f4", "<f8"], "received": ">f8"}


def test_a_header_that_declares_32_gib_allocates_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    file.write_bytes(HOSTILE["32 GiB declared in 128 bytes"])
    assert file.stat().st_size == 128
    program = (
        "import resource, sys, pathlib\n"
        "from app.arrays import npy\n"
        "from app.arrays.problems import MalformedArray\n"
        "limit = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 2**26\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "try: npy.read_header(pathlib.Path(sys.argv[1]))\n"
        "except MalformedArray: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "refused\n", done.stderr


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_version_precision_and_order_reads_as_numpy_reads_it(
    version: tuple[int, int], dtype: str, order: str, tmp_path: Path
) -> None:
    array = np.arange(6, dtype=dtype).reshape(2, 3)
    array = np.asfortranarray(array) if order == "F" else array
    file = tmp_path / "a.npy"
    with file.open("wb") as stream:
        np.lib.format.write_array(stream, array, version=version)
    np.testing.assert_array_equal(npy.memory_map(file), np.load(file))
    assert npy.read_header(file).fortran_order is (order == "F")


@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    dtype=st.sampled_from(["<f4", "<f8"]),
    order=st.sampled_from(["C", "F"]),
    weighted=st.booleans(),
    spoilt=st.none()
    | st.tuples(st.integers(0, 80), st.sampled_from([np.nan, -np.inf, 1e76, -1.0])),
    cuts=st.lists(st.integers(1, 700), max_size=4),
)
def test_entries_are_checked_alike_however_the_body_arrives(
    shape: tuple[int, int],
    dtype: str,
    order: Literal["C", "F"],
    weighted: bool,
    spoilt: tuple[int, float] | None,
    cuts: list[int],
) -> None:
    array = np.full(shape, 1 / shape[0], dtype, order=order)
    if spoilt is not None:
        with np.errstate(over="ignore"):
            array.ravel("K")[spoilt[0] % array.size : spoilt[0] % array.size + 1] = spoilt[1]
    check = ArrayCheck(POINTS, weighted=weighted, require_extents=lambda _: None)
    body = saved(array)
    for start, end in itertools.pairwise([0, *sorted(128 + cut for cut in cuts), len(body)]):
        check.add(body[start:end])
    bad = ~(np.abs(array.astype(float)) <= POINTS.largest)
    if weighted:
        bad[:, -1] |= array[:, -1] < 0
    places = np.flatnonzero(bad.ravel(order))
    if places.size:
        index = [int(each) for each in np.unravel_index(places[0], shape, order)]
        with pytest.raises(InvalidEntry) as refused:
            check.finish()
        assert refused.value.extensions["index"] == index
    elif not weighted or spoilt is None:
        weights = array[:, -1].astype(float) if weighted else np.full(shape[0], 1 / shape[0])
        assert check.finish().digest == hashlib.sha256(weights.tobytes()).hexdigest()
