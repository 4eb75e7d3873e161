"""Bare applications to compare the service with: `python -m benchmarks.service.bare URL FOLDER`.

They write a body to the disk, send a file, or read one row, and do nothing else.
"""

# The server and the settings of the database engine are those of the service.

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route

from app.database import Database
from app.requests.models import Request as RequestRow
from app.tables import METADATA


def main() -> None:
    url, folder = sys.argv[1:]
    assert METADATA.tables  # the tables that rows of requests refer to
    server = uvicorn.Server(
        uvicorn.Config(
            application(Database(url), Path(folder)),
            port=0,
            http="h11",
            loop="asyncio",
            access_log=False,
            log_level="info",
        )
    )
    server.run()


def application(database: Database, folder: Path) -> Starlette:
    reading = FastAPI()
    table = RequestRow.__table__

    @reading.get("/{request_id}")
    def read(request_id: str) -> dict[str, Any]:
        with database.snapshot() as session:
            rows = session.execute(select(table).where(table.c.id == request_id))
            return dict(rows.mappings().one())

    async def upload(request: Request) -> Response:
        with (folder / "bare").open("wb") as sink:
            async for chunk in request.stream():
                sink.write(chunk)
        return Response(status_code=201)

    async def upload_durably(request: Request) -> Response:
        sha256 = hashlib.sha256()
        with (folder / "bare").open("wb") as sink:
            async for chunk in request.stream():
                sha256.update(chunk)
                sink.write(chunk)
            sink.flush()
            os.fsync(sink.fileno())
        return Response(sha256.hexdigest(), status_code=201)

    async def download(_request: Request) -> Response:
        return FileResponse(folder / "bare")

    async def empty(_request: Request) -> Response:
        return Response()

    return Starlette(
        routes=[
            Route("/upload", upload, methods=["PUT"]),
            Route("/durably", upload_durably, methods=["PUT"]),
            Route("/download", download),
            Route("/empty", empty),
            Mount("/requests", reading),
        ]
    )


if __name__ == "__main__":
    main()
