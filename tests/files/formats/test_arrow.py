"""Arrow files and streams, as pyarrow writes them."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather, ipc

from wassay import WassayError
from wassay.files import read_points

TABLE = pa.table({"x": [1.5, -2.0], "y": [4, 6]})


@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".feather", ".ARROW"])
@pytest.mark.parametrize("kind", ["file", "stream", "feather"])
def test_files_and_streams_are_recognised_by_their_first_bytes(
    tmp_path: Path, suffix: str, kind: str
) -> None:
    path = tmp_path / f"points{suffix}"
    if kind == "feather":
        feather.write_feather(TABLE, path)
    else:
        with (ipc.new_file if kind == "file" else ipc.new_stream)(path, TABLE.schema) as out:
            out.write_table(TABLE)
    assert read_points(path).tolist() == [[1.5, 4.0], [-2.0, 6.0]]


@pytest.mark.parametrize("kept", [0, 3, 100, 300])
def test_a_truncated_stream_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "points.arrow"
    with ipc.new_stream(path, TABLE.schema) as out:
        out.write_table(TABLE)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(
        WassayError, match=r"points.arrow: expected a complete Arrow file or stream"
    ):
        read_points(path)
