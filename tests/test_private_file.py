import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wassay.private_file import NotPrivateError, read_private, written_privately


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file of this process grow, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_written_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    with written_privately(tmp_path, "key", "secret") as new:
        new.replace(tmp_path / "key")
    assert [file.name for file in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert read_private(tmp_path / "key") == "secret"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_access_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    path.write_text("secret")
    path.chmod(mode)
    with pytest.raises(NotPrivateError, match=f"{mode:04o}.*chmod 600") as refused:
        read_private(path)
    assert "secret" not in str(refused.value)


def test_nothing_is_left_of_a_file_that_could_not_be_written_or_placed(tmp_path: Path) -> None:
    def write_and_put(path: Path) -> None:
        with written_privately(tmp_path, "key", "secret") as new:
            new.replace(path)

    with full_disk(), pytest.raises(OSError, match="File too large"):
        write_and_put(tmp_path / "key")
    with pytest.raises(FileNotFoundError):
        write_and_put(tmp_path / "not there" / "key")
    assert list(tmp_path.iterdir()) == []
