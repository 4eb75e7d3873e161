"""The application: what it carries, and the routes of every resource."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import APIRouter, FastAPI

import app.accounts.caps_routes
import app.accounts.encryption_key_routes
import app.accounts.routes
import app.contributions.array_routes
import app.contributions.routes
import app.evaluations.report_routes
import app.evaluations.routes
import app.ledger.routes
import app.listings.routes
import app.receipts.routes
import app.references.routes
import app.requests.invitation_routes
import app.requests.measure_routes
import app.requests.routes
import app.requests.sealed_key_routes
from app import health, metrics, swagger
from app.accounts.last_uses import LastUses
from app.arrays.store import open_store
from app.database import Database
from app.jobs.queue import JobQueue
from app.kit import body_limit, cross_origin, documentation, problem_answers
from app.kit.head import HeadAsGet
from app.kit.rate_limit import RateLimit, RateLimitHeaders
from app.kit.request_log import RequestLog
from app.kit.request_metrics import RequestMetrics, request_seconds
from app.kit.root_path import RootPath
from app.kit.shutdown import AnswerAtShutdown
from app.settings import Settings
from wassay import __version__

RESOURCES: list[APIRouter] = [
    app.accounts.routes.router,
    app.accounts.encryption_key_routes.router,
    app.accounts.caps_routes.router,
    app.listings.routes.router,
    app.references.routes.router,
    app.requests.routes.references_router,
    app.requests.routes.router,
    app.requests.measure_routes.router,
    app.requests.invitation_routes.router,
    app.requests.sealed_key_routes.router,
    app.contributions.routes.request_router,
    app.contributions.routes.router,
    app.contributions.array_routes.router,
    app.evaluations.routes.request_router,
    app.evaluations.routes.router,
    app.evaluations.report_routes.router,
    app.ledger.routes.router,
    app.receipts.routes.router,
]


DESCRIPTION = """\
Press *Authorize* and paste an API key; then every operation below can be tried. Arrays may be sent
as JSON while they are small.

- Errors are `application/problem+json` (RFC 9457): `type` is a name that stays, `detail` says what
  was expected, what came and what to do.
- A POST that creates takes an `Idempotency-Key`, and can then be repeated.
- Edits need `If-Match` with the `ETag` that was read.
- `HEAD` answers as `GET` does, without the body.
- Lists come newest first, in pages: pass `next_cursor` as `cursor`.
- `RateLimit` says how many requests a key has left; 429 and 503 come with `Retry-After`.
"""


def create_app(settings: Settings) -> FastAPI:
    """Make the application; it opens its database when it starts, and closes it when it stops."""

    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        database = Database(settings.resolved_database_url)
        application.state.database = database
        application.state.array_store = open_store(settings)
        application.state.job_queue = JobQueue(database.engine)
        try:
            with LastUses(database) as application.state.last_uses:
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
    application.state.worker_cannot_start = lambda: False  # until somebody runs one beside it
    application.state.request_seconds = request_seconds()
    application.state.rate_limit = RateLimit(settings.requests_per_minute)
    problem_answers.install(application)
    documentation.install(application)
    swagger.install(application)
    application.include_router(health.router)
    application.include_router(metrics.router)
    for router in RESOURCES:
        application.include_router(router, max_body_size=settings.max_json_bytes)
    # The last added is the outermost: the path, an id, which pages may call, what counts, the log.
    application.add_middleware(AnswerAtShutdown, stopping=application.state.stopping)
    body_limit.install(application, settings.max_json_bytes)
    application.add_middleware(HeadAsGet)
    application.add_middleware(RateLimitHeaders)
    application.add_middleware(RequestLog)
    application.add_middleware(RequestMetrics, seconds=application.state.request_seconds)
    cross_origin.install(application, settings.cors_origins)
    application.add_middleware(CorrelationIdMiddleware, header_name="X-Request-Id")
    if settings.root_path:
        application.add_middleware(RootPath, root_path=settings.root_path)
    return application
