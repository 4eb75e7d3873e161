"""Authenticate callers by API key, and check scopes."""

from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Annotated, Any

import anyio
from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from wassay.models import Scope

from ..arrays.media_types import NPY
from ..database import Database
from ..http.concurrency_limit import ConcurrencyLimit
from ..http.problems import Forbidden, NotAuthenticated
from ..http.rate_limit import RateLimit, TooManyRequests, charge, cost_of
from ..http.repeated_json_names import StrictRequest
from ..settings import Settings
from . import repository
from .api_keys import PREFIX, hash_key
from .last_uses import LastUses
from .principal import Principal

REFUSAL_SECONDS = 0.5
"""Seconds of delay before a refusal, if the account or network address has exceeded its quota."""

REFUSAL_COST = 10
"""A request without a valid key counts as this many in the quota of its network address."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_bearer = HTTPBearer(
    scheme_name="ApiKey",
    description="An API key, `wsy_…`.",
    auto_error=False,
)


def _authenticate(request: Request, credentials: HTTPAuthorizationCredentials | None) -> None:
    """Authenticate the caller by API key, and count the request towards the account's rate limit.

    The caller is stored in `request.state`.

    Raises
    ------
    NotAuthenticated
        If the key is missing, unknown, revoked or expired.
    TooManyRequests
        If the account has exceeded its rate limit.
    Forbidden
        If an administrator has disabled the account.
    """
    if credentials is None:
        raise NotAuthenticated(
            "Expected an Authorization header with an API key, `Bearer wsy_…`; received "
            f"{'a header of another form' if 'Authorization' in request.headers else 'none'}."
        )
    database: Database = request.app.state.database
    # This writes nothing, so read-only calls succeed even while another program locks the database.
    with database.look() as connection:
        key = repository.key_with_hash(connection, hash_key(credentials.credentials))
    if key is None or not key.is_valid:
        raise NotAuthenticated(_refusal(credentials.credentials))
    settings: Settings = request.app.state.settings
    charge(request, key.account_id, cost_of(request, settings.max_json_bytes))
    if key.disabled_at is not None:
        raise Forbidden(
            "An administrator has disabled your account, so its keys are refused. Ask the "
            "operator of this service to enable it again."
        )
    last_uses: LastUses = request.app.state.last_uses
    last_uses.note(key.id, key.read_at, key.last_used_at)
    request.state.account_id = key.account_id
    request.state.caller = Principal(
        key.account_id,
        key.organisation,
        key.name,
        frozenset(key.scopes),
        key.expires_at,
        key.id,
    )


def _refusal(key: str) -> str:
    if not key.startswith(PREFIX):
        return (
            f"Expected an API key, which begins with {PREFIX}; received something else. Ask the "
            "service's operator for a key."
        )
    return (
        "Expected a valid API key; this one is unknown, revoked, expired or cut off. Copy it "
        "again, or ask the service's operator for another. A key is valid with one database only."
    )


def _count_refusal(request: Request) -> bool:
    """Count a call without a valid key; return whether the caller's address sent too many."""
    # Calls with a valid key are not counted: callers behind one proxy share an address, and must
    # not suffer from the refused calls of others.
    address = "" if request.client is None else request.client.host
    refusals: RateLimit = request.app.state.refusals
    return refusals.take(address, REFUSAL_COST).retry_in is not None


def is_array_upload(request: Request) -> bool:
    """Return whether a request's body is an `.npy` array; such a body is streamed to a file."""
    return request.headers.get("Content-Type", "").partition(";")[0].strip().lower() == NPY


class AuthenticatedRoute(APIRoute):
    """A route that authenticates its caller before it reads any of the request's body."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        waits = iscoroutinefunction(endpoint) or isasyncgenfunction(endpoint)
        # Each switch to another thread and back would take as long as a query.
        self._is_in_one_thread = "GET" in options["methods"] and not waits
        if self._is_in_one_thread:
            endpoint = _as_coroutine(endpoint)
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Handler:
        """Return a handler that authenticates the caller, then calls the route's own handler.

        A request waits while too many others with its API key run; callers who exceed a rate
        limit are refused after a delay.
        """
        handle = super().get_route_handler()

        async def handle_authenticated(request: Request) -> Response:
            credentials = await _bearer(request)
            concurrency: ConcurrencyLimit = request.app.state.concurrency_limit
            # Uploads have slots of their own, because they may take long and use little of the
            # processor.
            kind = "upload" if is_array_upload(request) else "call"
            key = "" if credentials is None else credentials.credentials
            strict = StrictRequest(request.scope, request.receive)
            try:
                async with concurrency.slot(f"{kind} {key}"):
                    try:
                        if self._is_in_one_thread:
                            return await run_in_threadpool(_respond, strict, credentials, handle)
                        await run_in_threadpool(_authenticate, request, credentials)
                    except TooManyRequests:
                        # Sleep in the slot, so that the key's next requests wait: otherwise a
                        # caller could occupy the process by repeating refused requests.
                        await anyio.sleep(REFUSAL_SECONDS)
                        raise
                    return await handle(strict)
            except NotAuthenticated:
                # Sleep outside the slot, which all callers without a key share.
                if _count_refusal(request):
                    await anyio.sleep(REFUSAL_SECONDS)
                raise

        return handle_authenticated


def _respond(
    request: Request, credentials: HTTPAuthorizationCredentials | None, handle: Handler
) -> Response:
    """Authenticate the caller, then run a handler that awaits nothing, and return its response."""
    _authenticate(request, credentials)
    handling = handle(request)
    try:
        handling.send(None)
    except StopIteration as end:
        response: Response = end.value
        return response
    handling.close()
    raise RuntimeError(
        f"Expected nothing of GET {request.url.path} to wait, because its function is not a "
        "coroutine; a dependency does. Declare the route's function with async def."
    )


def _as_coroutine(endpoint: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Wrap a function as a coroutine, so that the framework calls it in the current thread."""

    @wraps(endpoint)
    async def call(**values: Any) -> Any:
        return endpoint(**values)

    return call


async def _caller(
    request: Request,
    _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Principal:
    """Return the caller, whom an `AuthenticatedRoute` has authenticated."""
    caller: Principal = request.state.caller
    return caller


def _requires(scope: Scope) -> Callable[[Principal], Coroutine[Any, Any, Principal]]:
    async def check(caller: "Caller") -> Principal:
        if scope not in caller.scopes:
            raise Forbidden(
                f"Expected a key with the scope {scope}; yours has "
                f"{', '.join(sorted(caller.scopes))}. Use a key that has it, or ask an "
                "administrator for one.",
                expected=scope,
                received=sorted(caller.scopes),
            )
        return caller

    return check


Caller = Annotated[Principal, Depends(_caller)]
Buyer = Annotated[Principal, Depends(_requires("buyer"))]
Seller = Annotated[Principal, Depends(_requires("seller"))]
Admin = Annotated[Principal, Depends(_requires("admin"))]
