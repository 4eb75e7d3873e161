"""Lock files: held while a worker lives, and taken from a worker that is silent for long."""

import os
import stat
import time
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, text

from app.engine import FROZEN_LOCK_SECONDS
from app.jobs import liveness
from app.jobs.liveness import (
    AdvisoryLock,
    FileLock,
    is_locked,
    liveness_lock,
    living_among,
    lock_file,
    signed_key,
    silent_seconds,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "wassay.sqlite-workers" / "one"


def age(file: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))


def test_one_of_two_holds_a_lock_until_it_is_released(file: Path) -> None:
    first, second = FileLock(file), FileLock(file)
    assert first.acquire()
    assert not second.acquire()
    assert is_locked(file)
    assert first.heartbeat()
    assert not second.heartbeat()

    second.release()
    assert is_locked(file)
    first.release()

    assert not file.exists()
    assert not is_locked(file)
    assert not first.heartbeat()
    assert second.acquire()
    assert second.heartbeat()
    second.release()


def test_only_the_services_account_enters_the_folder_of_locks(file: Path) -> None:
    lock = FileLock(file)
    assert lock.acquire()
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    lock.release()


def test_a_heartbeat_ends_the_silence_of_a_lock(file: Path) -> None:
    lock = FileLock(file)
    assert lock.acquire()
    age(file, FROZEN_LOCK_SECONDS / 2)
    assert FROZEN_LOCK_SECONDS / 2 <= silent_seconds(file) < FROZEN_LOCK_SECONDS
    assert lock.heartbeat()
    assert silent_seconds(file) < FROZEN_LOCK_SECONDS / 4
    lock.release()


def test_there_is_no_silence_without_a_file_or_with_one_of_the_future(file: Path) -> None:
    assert silent_seconds(file) == 0
    file.parent.mkdir()
    file.touch()
    age(file, -1000)
    assert silent_seconds(file) == 0


@pytest.mark.parametrize(
    ("silence", "is_taken"), [(FROZEN_LOCK_SECONDS / 2, False), (FROZEN_LOCK_SECONDS + 1, True)]
)
def test_a_lock_is_taken_from_a_holder_that_is_silent_for_long(
    file: Path, silence: float, is_taken: bool
) -> None:
    frozen, next_one = FileLock(file), FileLock(file)
    assert frozen.acquire()
    age(file, silence)

    assert next_one.acquire() is is_taken

    assert frozen.heartbeat() is not is_taken
    assert next_one.heartbeat() is is_taken
    frozen.release()  # this must not remove the file of the next one
    assert file.exists() is is_taken
    next_one.release()


def test_the_living_are_those_whose_lock_is_held_and_who_are_heard_of(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/wassay.sqlite")
    heard, frozen = (liveness_lock(engine, name) for name in ("heard", "frozen"))
    assert heard.acquire()
    assert frozen.acquire()
    age(lock_file(engine, "frozen"), FROZEN_LOCK_SECONDS + 1)
    with engine.connect() as connection:
        living = living_among(connection, ["heard", "frozen", "never-there"])
    assert list(living) == ["heard"]
    assert 0 <= living["heard"] < FROZEN_LOCK_SECONDS
    assert lock_file(engine, "heard") == tmp_path / "wassay.sqlite-workers" / "heard"
    for lock in (heard, frozen):
        lock.release()
    engine.dispose()


def test_who_is_silent_for_the_whole_time_is_frozen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/wassay.sqlite")
    lock = liveness_lock(engine, "one")
    assert lock.acquire()
    monkeypatch.setattr(liveness, "silent_seconds", lambda file: FROZEN_LOCK_SECONDS)
    with engine.connect() as connection:
        assert living_among(connection, ["one"]) == {}
    lock.release()
    engine.dispose()


def test_a_lock_whose_file_was_removed_is_lost_and_may_be_released(file: Path) -> None:
    lock, unaware = FileLock(file), FileLock(file)
    assert lock.acquire()
    file.unlink()
    assert not lock.heartbeat()
    assert unaware.acquire()
    file.unlink()
    unaware.release()


def test_one_of_two_sessions_holds_an_advisory_lock(postgres_url: URL) -> None:
    engine = create_engine(postgres_url)
    first, second = AdvisoryLock(engine, "first"), AdvisoryLock(engine, "first")
    assert not first.heartbeat()
    assert first.acquire()
    assert not second.acquire()
    assert (first.heartbeat(), second.heartbeat()) == (True, False)
    with engine.connect() as connection:
        assert list(living_among(connection, ["first", "second"])) == ["first"]
    second.release()
    first.release()
    assert not first.heartbeat()
    assert second.acquire()
    second.release()
    with engine.connect() as connection:
        assert living_among(connection, ["first", "second"]) == {}
    engine.dispose()


def test_the_key_of_an_advisory_lock_never_changes(postgres_url: URL) -> None:
    """The key is our class and 32 bits of a digest: workers of any version exclude each other."""
    assert signed_key("one") == int.from_bytes(bytes.fromhex("7692c3ad"), "big")
    negative = next(name for name in map(str, range(99)) if signed_key(name) < 0)
    engine = create_engine(postgres_url)
    for worker_id in ("one", negative):
        lock = AdvisoryLock(engine, worker_id)
        assert lock.acquire()
        with engine.connect() as connection:
            held = connection.execute(
                text("SELECT pg_try_advisory_lock(1465074009, :key)"),
                {"key": signed_key(worker_id)},
            ).scalar_one()
            assert not held
            assert list(living_among(connection, [worker_id])) == [worker_id]
        lock.release()
    engine.dispose()
