"""A buyer and a seller in one event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import ot
import pytest
from scipy.spatial.distance import cdist

from tests.app.conftest import Party, Service
from tests.conftest import ON_SQLITE
from wassay import AsyncClient, Buyer, Profile, Protocol, Seller
from wassay.models import Request


@ON_SQLITE
@pytest.mark.usefixtures("worker")
def test_an_asynchronous_buyer_and_seller_wait_for_each_other(
    http: Callable[..., Party], service: Service, tmp_path: Path
) -> None:
    random = np.random.default_rng(2)
    needed, offered = random.normal(0, 1, (30, 3)), random.normal(1, 1, (40, 3))
    asking, offering = http("buyer"), http("seller")

    def mine(request: Request) -> bool:  # others may ask everyone at the same service
        return request.account_id == asking.account_id

    async def sell() -> None:
        async with AsyncClient(service.url, offering.key) as client:
            seller = Seller(client, Profile(tmp_path / "seller.json"))
            while not (asked := [each.id async for each in seller.open_requests() if mine(each)]):
                await asyncio.sleep(0.05)
            await seller.answer(asked[0], offered)

    async def buy() -> float:
        async with AsyncClient(service.url, asking.key) as client:
            request = await Buyer(client, Profile(tmp_path / "buyer.json")).ask(
                needed,
                title="Three features",
                sellers=[offering.account_id],
                protocol=Protocol(t0=0.37),
            )
            await request.wait_for(1, timeout=60)
            evaluation = await (await request.evaluate()).wait()
            return (await evaluation.result()).estimates().sellers[0].singleton.value

    async def both() -> float:
        value, _ = await asyncio.gather(buy(), sell())
        return value

    cost = ot.emd2([], [], cdist(needed, offered, "sqeuclidean"))
    assert asyncio.run(both()) == pytest.approx(cost**0.5, rel=1e-9)
