"""Limit the requests of each account, and the requests without a valid key of each address.

Each web process has its own token buckets, so n processes together allow n times the quota.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import Problem

WINDOW_SECONDS = 60
JSON_BYTES = 2**14
MAX_BUCKETS = 100_000
POLICY_NAME = '"requests"'

HEADERS = {
    "RateLimit": {
        "description": "The account's remaining requests `r`, and the seconds `t` until the "
        "full quota is available again.",
        "schema": {"type": "string", "examples": [f"{POLICY_NAME};r=1199;t=1"]},
    },
    "RateLimit-Policy": {
        "description": "The account's quota: `q` requests in `w` seconds.",
        "schema": {"type": "string", "examples": [f"{POLICY_NAME};q=1200;w={WINDOW_SECONDS}"]},
    },
}
"""OpenAPI descriptions of the headers that `Allowance.headers` returns."""


class TooManyRequests(Problem):
    """The account has exceeded its quota of requests; retry after `Retry-After` seconds."""

    slug, title, status = "too-many-requests", "Too many requests", 429

    def __init__(self, quota: int, seconds: int) -> None:
        super().__init__(
            f"Expected at most {quota} requests per minute from one account; received more. "
            f"Nothing was done. Retry in {seconds} s, and watch the RateLimit header.",
            expected=quota,
        )
        self.headers = {"Retry-After": str(seconds)}


@dataclass
class _Bucket:
    tokens: float
    updated_at: float


@dataclass(frozen=True)
class Allowance:
    """The state of a caller's bucket of tokens after a request.

    Attributes
    ----------
    quota
        The number of tokens in a full bucket.
    remaining
        The number of tokens in this bucket.
    full_in
        The seconds until the bucket is full.
    retry_in
        The seconds until a refused request may be repeated; None if the request was allowed.
    """

    quota: int
    remaining: int
    full_in: int
    retry_in: int | None

    def headers(self) -> dict[str, str]:
        """Return the headers that draft-ietf-httpapi-ratelimit-headers defines."""
        return {
            "RateLimit-Policy": f"{POLICY_NAME};q={self.quota};w={WINDOW_SECONDS}",
            "RateLimit": f"{POLICY_NAME};r={self.remaining};t={self.full_in}",
        }


class RateLimit:
    """The token buckets of all callers, each of which refills in a minute.

    Only the `MAX_BUCKETS` buckets that were used last are kept.

    Parameters
    ----------
    quota
        The number of tokens in a full bucket.
    clock
        Returns the time in seconds.
    """

    def __init__(self, quota: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._quota = quota
        self._clock = clock
        # In memory, because a shared count would cost a database write per request.
        self._buckets: dict[str, _Bucket] = {}
        self._lock = threading.Lock()

    def take(self, caller: str, cost: int = 1) -> Allowance:
        """Take `cost` tokens, at most the quota, from a caller's bucket; none if it has too few.

        `caller` is the id of an account, or a network address.
        """
        cost = min(cost, self._quota)
        refill_rate = self._quota / WINDOW_SECONDS
        with self._lock:
            now = self._clock()
            bucket = self._buckets.pop(caller, None) or _Bucket(self._quota, now)
            self._buckets[caller] = bucket  # moves the bucket to the end, as the most recently used
            if len(self._buckets) > MAX_BUCKETS:
                del self._buckets[next(iter(self._buckets))]
            bucket.tokens = min(
                self._quota, bucket.tokens + (now - bucket.updated_at) * refill_rate
            )
            bucket.updated_at = now
            is_allowed = bucket.tokens >= cost
            if is_allowed:
                bucket.tokens -= cost
            tokens = bucket.tokens
        return Allowance(
            quota=self._quota,
            remaining=math.floor(tokens),
            full_in=math.ceil((self._quota - tokens) / refill_rate),
            retry_in=None if is_allowed else math.ceil((cost - tokens) / refill_rate),
        )


def cost_of(request: Request, max_json_bytes: int) -> int:
    """Return how many tokens a request costs: 1 and, for a JSON body, 1 more per `JSON_BYTES`.

    A JSON body of unknown length counts as `max_json_bytes`.
    """
    media_type = request.headers.get("Content-Type", "")
    if not media_type.partition(";")[0].strip().lower().endswith("json"):
        return 1  # also for `.npy`: other requests are handled while such a body is checked
    length = request.headers.get("Content-Length", "")
    return 1 + (int(length) if length.isdecimal() else max_json_bytes) // JSON_BYTES


def charge(request: Request, account_id: str, cost: int) -> None:
    """Take `cost` tokens from an account's bucket for a request.

    Raises
    ------
    TooManyRequests
        If the bucket has too few tokens. None are taken.
    """
    rate_limit: RateLimit = request.app.state.rate_limit
    request.state.allowance = allowance = rate_limit.take(account_id, cost)
    if allowance.retry_in is not None:
        raise TooManyRequests(allowance.quota, allowance.retry_in)


class RateLimitHeaders:
    """Add the rate-limit headers to the response of every authenticated request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; add the headers if it was authenticated."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            allowance = scope.get("state", {}).get("allowance")
            if message["type"] == "http.response.start" and allowance is not None:
                MutableHeaders(scope=message).update(allowance.headers())
            await send(message)

        await self._app(scope, receive, send_with_headers)
