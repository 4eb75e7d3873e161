"""Serve Swagger UI at /docs from local files, without internet access."""

from pathlib import Path

import fastapi_offline
from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

FILES = Path(fastapi_offline.__file__).parent / "static"


def install(app: FastAPI) -> None:
    """Serve Swagger UI and its files."""
    app.mount("/docs/files", StaticFiles(directory=FILES), name="docs-files")

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        return get_swagger_ui_html(
            openapi_url=f"{root}{app.openapi_url}",
            title=f"{app.title} API",
            swagger_js_url=f"{root}/docs/files/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/docs/files/swagger-ui.css",
            swagger_favicon_url=f"{root}/docs/files/favicon.png",
            swagger_ui_parameters={"persistAuthorization": True, "tryItOutEnabled": True},
        )
