"""Each account has a quota of requests of its own, and reads in headers what is left."""

import anyio
import httpx
import pytest
from starlette.requests import Request

from app.accounts import authentication
from app.accounts.last_uses import LastUses
from app.accounts.service import create_account, issue_key
from app.database import Database
from app.http import rate_limit
from app.http.rate_limit import RateLimit, cost_of
from app.main import create_app
from app.settings import Settings
from tests.app.conftest import problem


def keys_of(database: Database, number: int = 1) -> list[dict[str, str]]:
    """Return the Authorization headers of `number` keys of a new account."""
    with database.transaction() as session:
        account = create_account(session, organisation="Acme", name="Ada")
        issued = [
            issue_key(session, account_id=account.id, scopes=["buyer"]) for _ in range(number)
        ]
    return [{"Authorization": f"Bearer {each.key}"} for each in issued]


def test_an_account_over_its_quota_waits_whatever_its_key_and_others_do_not(
    settings: Settings, database: Database
) -> None:
    (hasty, second), (other,) = keys_of(database, 2), keys_of(database)

    async def ask() -> tuple[list[httpx.Response], httpx.Response, list[int]]:
        app = create_app(settings)
        app.state.rate_limit = RateLimit(3, clock=lambda: 0.0)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://wassay"
            ) as client,
        ):
            hasted = [
                await client.get("/v1/accounts/me", headers=headers)
                for headers in (hasty, second, hasty, second)
            ]
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


def test_a_large_json_body_counts_as_many_requests_and_an_array_as_one() -> None:
    def cost(**headers: str) -> int:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        return cost_of(Request({"type": "http", "headers": raw}), 2**20)

    assert cost() == cost(content_type="application/json", content_length="300") == 1
    assert cost(content_type="application/json", content_length=str(2**20)) == 65
    assert cost(content_type="application/json") == 65  # chunked, so the length is unknown
    assert cost(content_type="application/x-npy", content_length=str(2**30)) == 1
    limit = RateLimit(60, clock=lambda: 0.0)
    assert limit.take("account", 65).remaining == 0  # a dearer request takes the whole quota
    assert limit.take("account", 2).retry_in == 2


def test_who_repeats_unknown_keys_waits_for_refusals_and_valid_keys_do_not(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    (valid,) = keys_of(database)
    unknown = {"Authorization": "Bearer wsy_unknown"}
    monkeypatch.setattr(authentication, "REFUSAL_SECONDS", 3600)

    async def ask() -> list[int | None]:
        app = create_app(settings)
        app.state.database = database
        app.state.last_uses = LastUses(database)
        app.state.refusals = RateLimit(2 * authentication.REFUSAL_COST, clock=lambda: 0.0)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://wassay"
        ) as client:

            async def status(headers: dict[str, str]) -> int:
                return (await client.get("/v1/accounts/me", headers=headers)).status_code

            statuses: list[int | None] = [await status(unknown), await status(unknown)]
            async with anyio.create_task_group() as tasks:
                for _ in range(4):  # more than there are slots
                    tasks.start_soon(status, unknown)
                    tasks.start_soon(status, {})
                await anyio.sleep(0.05)
                statuses.append(await status(valid))
                tasks.cancel_scope.cancel()
            with anyio.move_on_after(0.2):
                statuses.append(await status(unknown))
            return statuses

    assert anyio.run(ask) == [401, 401, 200]


def test_the_least_recently_used_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_BUCKETS", 2)
    limit = RateLimit(9, clock=lambda: 0.0)
    remaining = [limit.take(caller).remaining for caller in ("a", "b", "a", "c", "a", "b")]
    assert remaining == [8, 8, 7, 8, 6, 8]
