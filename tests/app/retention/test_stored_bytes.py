"""The bytes of arrays are deleted once no row refers to them, and no sooner."""

import asyncio
import io
import os
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import numpy as np
from sqlalchemy import select

from app.arrays.deletion import lock_digest, schedule_deletion
from app.arrays.models import ArrayDeletion
from app.database import now
from app.main import create_app
from app.requests.models import BuyerMeasure
from app.retention.cleanup import clean_up
from app.retention.stored_bytes import delete_scheduled, delete_unreferenced
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import draft, npy, opened, put
from tests.app.retention.held import holds

WEEK = timedelta(days=7)


def measure_digest(buyer: Party, request_id: str) -> str:
    return str(buyer.get(f"/v1/requests/{request_id}").json()["measure"]["digest"])


def test_the_arrays_of_a_withdrawn_contribution_are_deleted_at_once_and_no_others(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, (ada, bob), request_id, (withdrawn, kept) = market(
        http, data(11, 12, seed=3), ["measure", "measure"]
    )

    def digests(party: Party, path: str) -> list[str]:
        return [
            array["digest"] for array in party.get(f"/v1/contributions/{path}").json()["arrays"]
        ]

    gone, stay = digests(ada, withdrawn), digests(bob, kept)
    stay.append(measure_digest(buyer, request_id))

    assert ada.post(f"/v1/contributions/{withdrawn}/withdraw").status_code == 200

    assert digests(ada, withdrawn) == []
    assert not any(holds(service, digest) for digest in gone)
    assert all(holds(service, digest) for digest in stay)


def test_equal_arrays_of_two_owners_stay_until_the_last_is_deleted(
    http: Callable[..., Party], service: Service
) -> None:
    ada, bob = http("buyer"), http("buyer")
    requests = [(party, draft(party)) for party in (ada, bob)]
    points = npy(data(5, seed=4).buyer.points[:, :2])
    for party, request_id in requests:
        assert put(party, f"/v1/requests/{request_id}/measure", points).status_code == 201
    digest = measure_digest(*requests[0])

    remaining = []
    for party, request_id in requests:
        assert party.delete(f"/v1/requests/{request_id}/measure").status_code == 204
        remaining.append(holds(service, digest))

    assert remaining == [True, False]


def test_an_array_that_another_replaces_is_deleted_by_the_next_cleanup(
    http: Callable[..., Party], service: Service
) -> None:
    buyer = http("buyer")
    request_id = draft(buyer)
    replaced, replacing = (npy(data(5, seed=seed).buyer.points[:, :2]) for seed in (5, 6))
    put(buyer, f"/v1/requests/{request_id}/measure", replaced)
    digest = measure_digest(buyer, request_id)
    put(buyer, f"/v1/requests/{request_id}/measure", replacing)

    delete_scheduled(service.database, service.app.state.array_store)

    assert not holds(service, digest)
    assert holds(service, measure_digest(buyer, request_id))


def test_scores_of_a_chunk_stay_when_an_equal_array_is_deleted(
    http: Callable[..., Party], service: Service
) -> None:
    jobs = Jobs(service)
    asking, _, request_id, _ = market(http, data(11, seed=8), ["measure"])
    evaluation_id = evaluate(asking, request_id)
    jobs.evaluations.publish(evaluation_id, {"bounds": [[0, 3], [3, 4]]})
    first = jobs.chunks_of(evaluation_id)[0].id
    output = jobs.computed(jobs.chunks, first)
    jobs.chunks.publish(first, output)
    digest = output["scores"][0]["digest"]
    scores = b"".join(service.app.state.array_store.stream(digest))
    other = http("buyer")
    path = f"/v1/requests/{draft(other, np.load(io.BytesIO(scores)).shape[1])}/measure"
    assert put(other, path, scores).json()["digest"] == digest

    assert other.delete(path).status_code == 204

    assert holds(service, digest)
    asking.post(f"/v1/requests/{request_id}/cancel")


def test_a_deletion_waits_for_the_upload_of_equal_bytes_and_then_leaves_them(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, store = http("buyer"), service.app.state.array_store
    request_id = draft(buyer)
    put(buyer, f"/v1/requests/{request_id}/measure", npy(data(5, seed=7).buyer.points[:, :2]))
    digest = measure_digest(buyer, request_id)
    with service.database.transaction() as session:
        session.get_one(BuyerMeasure, request_id).deleted_at = now()
        schedule_deletion(session, digest)
    deletion = threading.Thread(target=delete_scheduled, args=(service.database, store))

    with service.database.transaction() as session:  # as an upload does
        lock_digest(session, digest)
        session.get_one(BuyerMeasure, request_id).deleted_at = None
        session.flush()
        deletion.start()
        deletion.join(0.2)  # without the lock, the deletion would end in this time
    deletion.join()

    assert holds(service, digest)
    with service.database.snapshot() as session:
        assert not session.scalars(
            select(ArrayDeletion).where(ArrayDeletion.digest == digest)
        ).all()


def test_bytes_without_a_row_are_deleted_once_they_are_a_week_old(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, store = http("buyer"), service.app.state.array_store
    request_id = opened(buyer)
    unreferenced = store.put_bytes(b"computed for nobody")
    referenced = measure_digest(buyer, request_id)

    young = delete_unreferenced(service.database, store, WEEK)
    then = time.time() - 8 * 86_400
    for digest in (unreferenced, referenced):
        os.utime(store.local_path(digest), (then, then))

    assert (young, delete_unreferenced(service.database, store, WEEK)) == (0, 1)
    assert holds(service, referenced)
    assert not holds(service, unreferenced)


def test_a_start_and_a_cleanup_remove_what_a_killed_upload_left(
    service: Service, tmp_path: Path
) -> None:
    settings = service.settings.model_copy(update={"data_folder": tmp_path})
    left = settings.arrays_folder / "incoming" / "killed"

    def leave() -> None:
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_bytes(b"half an arr")

    async def start() -> None:
        application = create_app(settings)
        async with application.router.lifespan_context(application):
            assert not left.exists()
            leave()
            store = application.state.array_store
            await asyncio.to_thread(clean_up, service.database, store, None)
            assert not left.exists()

    leave()
    asyncio.run(start())
