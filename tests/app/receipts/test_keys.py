"""Keys of receipts: made once, kept to the service alone, rotated without losing the old ones."""

import stat
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.database import Database
from app.receipts import repository
from app.receipts.key_file import KeyFile
from app.receipts.service import publish_key, rotate_key
from tests.app.conftest import Service
from wassay.receipts import SigningKey


def test_a_key_is_created_once_by_concurrent_callers_and_readable_by_its_owner_only(
    tmp_path: Path,
) -> None:
    found: list[str] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        found.append(KeyFile(tmp_path).key().public.id)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert stat.S_IMODE(KeyFile(tmp_path).path.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["receipt-key"]


def test_no_two_services_have_the_same_key(tmp_path: Path) -> None:
    ids = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        ids.add(KeyFile(tmp_path / name).key().public.id)
    assert len(ids) == 2


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    file = KeyFile(tmp_path)
    secret = file.key().secret.hex()
    file.path.chmod(0o640)
    with pytest.raises(OSError, match="chmod 600") as refused:
        file.key()
    assert secret not in str(refused.value)


@pytest.mark.parametrize("content", ["", "secret", "ab" * 31])
def test_a_file_without_a_key_is_not_replaced_and_not_shown(tmp_path: Path, content: str) -> None:
    file = KeyFile(tmp_path)
    file.path.write_text(content)
    file.path.chmod(0o600)
    with pytest.raises(OSError, match="to hold a private key") as refused:
        file.key()
    assert "secret" not in str(refused.value)
    assert file.path.read_text() == content


def test_a_key_behind_a_link_is_made_and_rotated_where_it_is(tmp_path: Path) -> None:
    kept, data = tmp_path / "kept", tmp_path / "data"
    kept.mkdir()
    data.mkdir()
    (data / "receipt-key").symlink_to(kept / "key")  # nothing is there yet
    made = KeyFile(data).key()
    assert (kept / "key").read_text().strip() == made.secret.hex()
    other = SigningKey.draw()
    KeyFile(data).replace(other)
    assert (data / "receipt-key").is_symlink()
    assert (kept / "key").read_text().strip() == other.secret.hex()


def test_a_retired_key_signs_nothing_and_stays_published(
    service: Service, anonymous: httpx.Client, tmp_path: Path
) -> None:
    file = KeyFile(tmp_path)
    old = file.key().public
    with service.database.transaction() as session:
        before, after = rotate_key(session, file)
    assert before == old
    assert file.key().public == after
    listed: dict[str, Any] = {}
    cursor = None
    while True:
        page = anonymous.get("/v1/receipt-keys", params={"cursor": cursor} if cursor else {})
        assert page.status_code == 200, page.text
        listed |= {key["id"]: key for key in page.json()["items"]}
        if (cursor := page.json()["next_cursor"]) is None:
            break
    assert listed[old.id]["public_key"] == old.text
    assert listed[old.id]["retired_at"] is not None
    assert listed[after.id]["public_key"] == after.text
    assert listed[after.id]["retired_at"] is None
    assert file.key().secret.hex() not in str(listed)


def test_concurrent_publishers_publish_a_key_once(database: Database) -> None:
    key = SigningKey.draw().public
    together = threading.Barrier(4)
    failures: list[Exception] = []

    def publish() -> None:
        try:
            together.wait()
            with database.transaction() as session:
                publish_key(session, key)
        except Exception as error:  # noqa: BLE001 - looked at below
            failures.append(error)

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with database.snapshot() as session:
        assert [each.id for each in repository.every_key(session)].count(key.id) == 1
