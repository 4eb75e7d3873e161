"""How many requests a key may make: a bucket for each, which fills again all the time.

Buckets live in the web process. Every process hands out the whole of what a key may do, so that
several allow several times as much; agreeing on it would cost each of them a write to the database
for every request, which is what the limit is there to prevent.
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
NAME = '"requests"'


HEADERS = {
    "RateLimit": {
        "description": "What is left to the key: `r` requests, and `t` seconds until all are.",
        "schema": {"type": "string", "examples": [f"{NAME};r=1199;t=1"]},
    },
    "RateLimit-Policy": {
        "description": "What a key may do: `q` requests in `w` seconds.",
        "schema": {"type": "string", "examples": [f"{NAME};q=1200;w={WINDOW_SECONDS}"]},
    },
}
"""In OpenAPI, the fields that `Allowance.headers` says."""


class TooManyRequests(Problem):
    """The key has made more requests than it may; `Retry-After` says when it may go on."""

    slug, title, status = "too-many-requests", "Too many requests", 429

    def __init__(self, quota: int, seconds: int) -> None:
        super().__init__(
            f"A key may make {quota} requests a minute, and this one has; nothing was done. Go on "
            f"in {seconds} s, and watch the RateLimit header.",
            expected=quota,
        )
        self.headers = {"Retry-After": str(seconds)}


@dataclass
class _Bucket:
    tokens: float
    at: float


@dataclass(frozen=True)
class Allowance:
    """What is left to a key after a request."""

    quota: int
    remaining: int
    full_in: int
    retry_in: int | None

    def headers(self) -> dict[str, str]:
        """Say it in the fields of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f"{NAME};q={self.quota};w={WINDOW_SECONDS}",
            "RateLimit": f"{NAME};r={self.remaining};t={self.full_in}",
        }


class RateLimit:
    """The buckets of all keys: each holds `quota` requests, and fills within a minute.

    One stays for every key that was ever good and was used; strangers cannot make any.
    """

    def __init__(self, quota: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._quota = quota
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}
        self._lock = threading.Lock()

    def take(self, key_id: str) -> Allowance:
        """Take one request from a key's bucket, if there is one in it."""
        a_second = self._quota / WINDOW_SECONDS
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault(key_id, _Bucket(self._quota, now))
            bucket.tokens = min(self._quota, bucket.tokens + (now - bucket.at) * a_second)
            bucket.at = now
            is_allowed = bucket.tokens >= 1
            if is_allowed:
                bucket.tokens -= 1
            tokens = bucket.tokens
        return Allowance(
            quota=self._quota,
            remaining=math.floor(tokens),
            full_in=math.ceil((self._quota - tokens) / a_second),
            retry_in=None if is_allowed else math.ceil((1 - tokens) / a_second),
        )


class RateLimitHeaders:
    """Say in every answer to a key what is left to it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and add the fields where a key made it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def say(message: Message) -> None:
            allowance = scope.get("state", {}).get("allowance")
            if message["type"] == "http.response.start" and allowance is not None:
                MutableHeaders(scope=message).update(allowance.headers())
            await send(message)

        await self._app(scope, receive, say)
