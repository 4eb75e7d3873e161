"""Create the application: its state, routes and middleware."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import APIRouter, FastAPI

from wassay import __version__

from . import health, metrics, swagger
from .accounts import admin_action_routes as accounts_admin_action_routes
from .accounts import caps_routes as accounts_caps_routes
from .accounts import encryption_key_routes as accounts_encryption_key_routes
from .accounts import routes as accounts_routes
from .accounts.last_uses import LastUses
from .accounts.storage_quota import StorageLimits
from .arrays.opening import open_store
from .arrays.store_probe import StoreProbe
from .contributions import routes as contributions_routes
from .contributions import upload_routes as contributions_upload_routes
from .database import Database
from .evaluations import operator_routes as evaluations_operator_routes
from .evaluations import routes as evaluations_routes
from .evaluations.events import EvaluationFeed
from .evaluations.reading import report_routes as evaluations_report_routes
from .evaluations.reading import routes as evaluations_reading_routes
from .evaluations.stream_limit import StreamLimit
from .http import (
    cross_origin,
    documentation,
    exception_handlers,
    json_body_limit,
)
from .http.concurrency_limit import ConcurrencyLimit
from .http.head import HeadAsGet
from .http.heavy_work import HeavyWork
from .http.rate_limit import RateLimit, RateLimitHeaders
from .http.request_log import RequestLog
from .http.request_metrics import RequestMetrics
from .http.request_traces import RequestTraces
from .http.root_path import RootPath
from .http.security_headers import SecurityHeaders
from .http.shutdown import UnavailableAtShutdown
from .jobs.queue import JobQueue
from .ledger import routes as ledger_routes
from .listings import routes as listings_routes
from .receipts import routes as receipts_routes
from .references import routes as references_routes
from .requests import invitation_routes as requests_invitation_routes
from .requests import measure_routes as requests_measure_routes
from .requests import routes as requests_routes
from .requests import sealed_key_routes as requests_sealed_key_routes
from .retention import routes as retention_routes
from .retention.counting import count_stored_bytes
from .settings import Settings
from .usage import routes as usage_routes


def resources() -> list[APIRouter]:
    """Return the routes of every resource, in the order of the API's documentation."""
    return [
        accounts_routes.router,
        accounts_encryption_key_routes.router,
        accounts_caps_routes.router,
        usage_routes.router,
        accounts_admin_action_routes.router,
        listings_routes.router,
        references_routes.router,
        requests_routes.references_router,
        requests_routes.router,
        requests_measure_routes.router,
        requests_invitation_routes.router,
        requests_sealed_key_routes.router,
        contributions_routes.request_router,
        contributions_routes.router,
        contributions_upload_routes.upload_router(),
        evaluations_routes.request_router,
        evaluations_routes.router,
        evaluations_reading_routes.router,
        evaluations_operator_routes.router,
        evaluations_report_routes.router,
        retention_routes.router,
        ledger_routes.router,
        receipts_routes.router,
    ]


DESCRIPTION = """\
Press *Authorize* and paste an API key to try the operations below. Small arrays may be sent as
JSON.

- Errors are `application/problem+json` (RFC 9457). `type` is a stable name. `detail`, `expected`
  and `received` state what was expected, what was received and what to do.
- A POST that creates a resource takes an `Idempotency-Key`, which makes it safe to repeat.
- Edits need `If-Match` with the `ETag` of the version to edit.
- `HEAD` responds as `GET` does, without the body.
- Lists are paginated, newest first: pass `next_cursor` as `cursor` to get the next page.
- `RateLimit` reports the remaining requests of an account; 429 and 503 have `Retry-After`.
"""


def create_app(settings: Settings) -> FastAPI:
    """Create the application, which opens its database on startup and closes it on shutdown."""

    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        database = Database(settings.resolved_database_url)
        application.state.database = database
        application.state.array_store = open_store(settings, database)
        application.state.store_probe = StoreProbe(application.state.array_store.check)
        application.state.job_queue = JobQueue(database.engine)
        feed = EvaluationFeed(database, application.state.stopping)
        application.state.evaluation_feed = feed
        try:
            with LastUses(database) as application.state.last_uses:
                async with feed.running():
                    yield
        finally:
            database.dispose()

    application = FastAPI(
        title="Wassay",
        summary="How much a seller's data resembles the data a buyer needs, before it moves.",
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    application.state.settings = settings
    application.state.stopping = threading.Event()
    application.state.worker_cannot_start = lambda: (
        False
    )  # `wassay serve` replaces this if it starts a worker
    application.state.rate_limit = RateLimit(settings.requests_per_minute)
    application.state.refusals = RateLimit(settings.requests_per_minute)
    application.state.concurrency_limit = ConcurrencyLimit(
        settings.requests_at_once,
        # A single slot must not rest, because all other requests of the key would wait for that.
        rests=settings.requests_at_once > 1,
    )
    application.state.heavy_work = HeavyWork()
    application.state.storage_limits = StorageLimits(
        settings.account_bytes, settings.organisation_bytes, count_stored_bytes
    )
    application.state.stream_limit = StreamLimit(
        settings.account_streams, settings.organisation_streams
    )
    exception_handlers.install(application)
    documentation.install(application)
    swagger.install(application)
    application.include_router(health.router)
    application.include_router(metrics.router)
    for router in resources():
        application.include_router(router, max_body_size=settings.max_json_bytes)
    # The order matters: the middleware that is added last handles a request first.
    application.add_middleware(UnavailableAtShutdown, stopping=application.state.stopping)
    json_body_limit.install(application, settings.max_json_bytes)
    application.add_middleware(SecurityHeaders)
    application.add_middleware(HeadAsGet)
    application.add_middleware(RateLimitHeaders)
    application.add_middleware(RequestLog)
    application.add_middleware(RequestMetrics)
    if settings.traces_url is not None:
        application.add_middleware(RequestTraces)
    cross_origin.install(application, settings.cors_origins)
    application.add_middleware(CorrelationIdMiddleware, header_name="X-Request-Id")
    if settings.root_path:
        application.add_middleware(RootPath, root_path=settings.root_path)
    return application
