"""A key may make so many requests, is told what is left, and nobody else pays for it."""

import anyio
import httpx

from app.accounts.service import create_account, issue_key
from app.database import Database
from app.http.rate_limit import RateLimit
from app.main import create_app
from app.settings import Settings
from tests.app.conftest import problem


def key_of(database: Database) -> dict[str, str]:
    """The header of somebody new."""
    with database.transaction() as session:
        account = create_account(session, organisation="Acme", name="Ada")
        issued = issue_key(session, account_id=account.id, scopes=["buyer"])
    return {"Authorization": f"Bearer {issued.key}"}


def test_a_key_over_its_quota_waits_and_other_keys_do_not(
    settings: Settings, database: Database
) -> None:
    hasty, other = key_of(database), key_of(database)

    async def ask() -> tuple[list[httpx.Response], httpx.Response, list[int]]:
        app = create_app(settings.model_copy(update={"requests_per_minute": 3}))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://wassay"
            ) as client,
        ):
            hasted = [await client.get("/v1/accounts/me", headers=hasty) for _ in range(4)]
            spared = await client.get("/v1/accounts/me", headers=other)
            healthy = [(await client.get("/healthz", headers=hasty)).status_code for _ in range(5)]
            return hasted, spared, healthy

    hasted, spared, healthy = anyio.run(ask)

    assert [answer.status_code for answer in hasted] == [200, 200, 200, 429]
    assert [answer.headers["ratelimit"] for answer in hasted] == [
        '"requests";r=2;t=20',
        '"requests";r=1;t=40',
        '"requests";r=0;t=60',
        '"requests";r=0;t=60',
    ]
    assert {answer.headers["ratelimit-policy"] for answer in hasted} == {'"requests";q=3;w=60'}
    assert problem(hasted[-1]) == (429, "too-many-requests")
    assert hasted[-1].headers["retry-after"] == "20"
    assert spared.headers["ratelimit"] == '"requests";r=2;t=20'
    assert healthy == [200] * 5


def test_a_bucket_refills_steadily_up_to_its_quota() -> None:
    now = 0.0
    limit = RateLimit(60, clock=lambda: now)
    assert [limit.take("key").remaining for _ in range(60)] == list(range(59, -1, -1))
    assert limit.take("key").retry_in == 1
    now = 0.5
    refused = limit.take("key")
    assert (refused.retry_in, refused.remaining) == (1, 0)
    now = 1.0
    assert limit.take("key").retry_in is None
    now = 1e6
    assert limit.take("key").remaining == 59
