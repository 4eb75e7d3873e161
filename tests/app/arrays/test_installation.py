"""Two installations never share a bucket: one would delete the other's arrays."""

from datetime import timedelta
from pathlib import Path

import pytest

from app.arrays.bucket import Bucket
from app.arrays.installation import installation_id, renew_installation
from app.arrays.problems import StorageUnavailable
from app.arrays.store import ArrayStore
from app.database import Database
from tests.conftest import NewDatabase


def store(folder: Path, address: str, installation: str) -> ArrayStore:
    return ArrayStore(folder, Bucket(address, 10, lambda: installation))


def test_a_second_installation_on_a_bucket_writes_and_deletes_nothing(
    address: str, tmp_path: Path
) -> None:
    first = store(tmp_path / "first", address, "ins_first")
    digest = first.put_bytes(b"an array")
    second = store(tmp_path / "second", address, "ins_second")

    for ask in (
        lambda: second.put_bytes(b"another"),
        lambda: second.delete(digest),
        lambda: second.remove_unreferenced(set, timedelta(0)),
        second.check,
        second.check_rights,
    ):
        with pytest.raises(StorageUnavailable) as refused:
            ask()
        assert "belong to installation ins_first" in refused.value.cause
        assert "ins_first" not in refused.value.detail

    assert first.local_path(digest).read_bytes() == b"an array"


def test_a_bucket_taken_over_while_a_process_runs_is_not_swept(
    address: str, tmp_path: Path
) -> None:
    first = store(tmp_path / "first", address, "ins_first")
    digest = first.put_bytes(b"an array")

    second = store(tmp_path / "second", address, "ins_second")
    second.adopt()

    with pytest.raises(StorageUnavailable):
        first.remove_unreferenced(set, timedelta(0))
    assert second.local_path(digest).read_bytes() == b"an array"


def test_a_worker_refuses_a_bucket_that_no_web_process_has_used(
    address: str, tmp_path: Path
) -> None:
    own = store(tmp_path, address, "ins_first")
    with pytest.raises(StorageUnavailable) as refused:
        own.check_rights()
    assert "correct WASSAY_ARRAYS_URL" in refused.value.cause

    own.check()  # as the web process does

    own.check_rights()


def test_a_database_has_one_id_and_a_copy_can_get_its_own(new_database_url: NewDatabase) -> None:
    database = Database(new_database_url())
    before = installation_id(database)

    with database.transaction() as session:
        renewed = renew_installation(session)

    assert installation_id(database) == renewed != before
    database.dispose()
