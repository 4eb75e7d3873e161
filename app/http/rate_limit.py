"""Rate limiting: one token bucket per API key.

Buckets live in the memory of a web process, so n processes together allow n times the quota. A
shared count would cost a database write per request, which the limit is there to prevent.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import Problem

WINDOW_SECONDS = 60
POLICY_NAME = '"requests"'

HEADERS = {
    "RateLimit": {
        "description": "The key's remaining requests `r`, and the seconds `t` until the quota is "
        "restored.",
        "schema": {"type": "string", "examples": [f"{POLICY_NAME};r=1199;t=1"]},
    },
    "RateLimit-Policy": {
        "description": "The key's quota: `q` requests in `w` seconds.",
        "schema": {"type": "string", "examples": [f"{POLICY_NAME};q=1200;w={WINDOW_SECONDS}"]},
    },
}
"""OpenAPI descriptions of the headers that `Allowance.headers` returns."""


class TooManyRequests(Problem):
    """The key has exceeded its quota; retry after `Retry-After` seconds."""

    slug, title, status = "too-many-requests", "Too many requests", 429

    def __init__(self, quota: int, seconds: int) -> None:
        super().__init__(
            f"Expected at most {quota} requests per minute from one key; received more. Nothing "
            f"was done. Retry in {seconds} s, and watch the RateLimit header.",
            expected=quota,
        )
        self.headers = {"Retry-After": str(seconds)}


@dataclass
class _Bucket:
    tokens: float
    updated_at: float


@dataclass(frozen=True)
class Allowance:
    """The state of a key's bucket after a request."""

    quota: int
    remaining: int
    full_in: int
    retry_in: int | None

    def headers(self) -> dict[str, str]:
        """Return the headers of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f"{POLICY_NAME};q={self.quota};w={WINDOW_SECONDS}",
            "RateLimit": f"{POLICY_NAME};r={self.remaining};t={self.full_in}",
        }


class RateLimit:
    """The token buckets of all keys: each holds `quota` tokens and refills within a minute.

    Only valid keys get a bucket, so unauthenticated callers cannot fill the memory.
    """

    def __init__(self, quota: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._quota = quota
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}
        self._lock = threading.Lock()

    def take(self, key_id: str) -> Allowance:
        """Take a token from a key's bucket if one is left."""
        refill_rate = self._quota / WINDOW_SECONDS
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault(key_id, _Bucket(self._quota, now))
            bucket.tokens = min(
                self._quota, bucket.tokens + (now - bucket.updated_at) * refill_rate
            )
            bucket.updated_at = now
            is_allowed = bucket.tokens >= 1
            if is_allowed:
                bucket.tokens -= 1
            tokens = bucket.tokens
        return Allowance(
            quota=self._quota,
            remaining=math.floor(tokens),
            full_in=math.ceil((self._quota - tokens) / refill_rate),
            retry_in=None if is_allowed else math.ceil((1 - tokens) / refill_rate),
        )


class RateLimitHeaders:
    """Add the rate-limit headers to every authenticated response."""

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
