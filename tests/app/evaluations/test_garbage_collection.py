"""Withdrawn arrays are deleted from the disk, and those in use are not."""

import os
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from app.arrays.problems import StorageDamaged
from app.arrays.store import ArrayStore
from app.evaluations.jobs.garbage_collection import collect_garbage
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import data, market

WEEK = timedelta(days=7)


def test_the_arrays_of_a_withdrawn_contribution_are_deleted_and_no_others(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, (ada, bob), request_id, (withdrawn, kept) = market(
        http, data(11, 12, seed=3), ["measure", "measure"]
    )
    store = ArrayStore(service.settings.data_folder / "arrays")

    def digests(party: Party, path: str) -> list[str]:
        return [
            array["digest"] for array in party.get(f"/v1/contributions/{path}").json()["arrays"]
        ]

    gone, stay = digests(ada, withdrawn), digests(bob, kept)
    stay.append(buyer.get(f"/v1/requests/{request_id}").json()["measure"]["digest"])
    assert ada.post(f"/v1/contributions/{withdrawn}/withdraw").status_code == 200
    assert digests(ada, withdrawn) == []
    assert collect_garbage(service.database, store, WEEK) == 0
    then = time.time() - 8 * 86_400
    for digest in gone + stay:
        os.utime(store.local_path(digest), (then, then))
    beginning = service.settings.data_folder / "arrays" / "partial" / "beginning"
    beginning.touch()
    os.utime(beginning, (then, then))
    assert collect_garbage(service.database, store, WEEK) == len(gone) == 3
    assert not beginning.exists()
    for digest in gone:
        with pytest.raises(StorageDamaged):
            store.local_path(digest)
    assert all(store.local_path(digest).exists() for digest in stay)
