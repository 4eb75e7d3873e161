"""Two installations never share a bucket: one would delete the other's arrays."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from app.accounts.models import AdminAction
from app.arrays.bucket import Bucket
from app.arrays.installation import installation_id, renew_installation
from app.arrays.problems import StorageUnavailable
from app.arrays.store import ArrayStore
from app.database import Database
from tests.conftest import ON_SQLITE, NewDatabase
from tests.programs.typed import Run, typed


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


def adopt(folder: Path, database_url: str, **variables: str) -> Run:
    database = {"WASSAY_DATA_FOLDER": str(folder / "data"), "WASSAY_DATABASE_URL": database_url}
    return typed(folder, {**database, **variables}, "installation", "adopt")


def adoptions(database: Database) -> list[str | None]:
    """Return the ids of the installations that are recorded as having adopted a bucket."""
    with database.snapshot() as session:
        recorded = select(AdminAction.object_id).where(AdminAction.action == "installation.adopt")
        return list(session.scalars(recorded))


@ON_SQLITE
def test_without_a_bucket_nothing_is_adopted_and_no_adoption_is_recorded(
    new_database_url: NewDatabase, tmp_path: Path
) -> None:
    url = new_database_url()

    refused = adopt(tmp_path, url)

    assert refused.returncode == 1
    assert refused.stderr.startswith("wassay: Expected WASSAY_ARRAYS_URL to name the bucket")
    assert str(tmp_path / "data" / "arrays") in refused.stderr
    assert refused.stdout == ""
    database = Database(url)
    assert adoptions(database) == []
    database.dispose()


@ON_SQLITE
def test_the_command_takes_a_bucket_over_from_another_installation_and_records_this(
    address: str, new_database_url: NewDatabase, tmp_path: Path
) -> None:
    first = store(tmp_path / "first", address, "ins_first")
    digest = first.put_bytes(b"an array")
    url = new_database_url()

    adopted = adopt(tmp_path, url, WASSAY_ARRAYS_URL=address)

    database = Database(url)
    own = installation_id(database)
    assert (adopted.returncode, adopted.stdout) == (0, f"{own}\n")
    assert adoptions(database) == [own]
    database.dispose()
    second = store(tmp_path / "second", address, own)
    second.check_rights()
    assert second.local_path(digest).read_bytes() == b"an array"
    with pytest.raises(StorageUnavailable):
        store(tmp_path / "again", address, "ins_first").put_bytes(b"another")


def test_a_bucket_taken_over_while_a_process_runs_is_not_swept(
    address: str, tmp_path: Path
) -> None:
    first = store(tmp_path / "first", address, "ins_first")
    digest = first.put_bytes(b"an array")

    Bucket(address, 10, lambda: "ins_second").adopt()

    with pytest.raises(StorageUnavailable):
        first.remove_unreferenced(set, timedelta(0))
    second = store(tmp_path / "second", address, "ins_second")
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
