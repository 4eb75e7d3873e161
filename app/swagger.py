"""Serve Swagger UI at /docs from local files, without internet access."""

import base64
import hashlib
import re
from pathlib import Path

import fastapi_offline
from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

FILES = Path(fastapi_offline.__file__).parent / "static"
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def install(app: FastAPI) -> None:
    """Add Swagger UI and its files to the application."""
    app.mount("/docs/files", StaticFiles(directory=FILES), name="docs-files")

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        page = get_swagger_ui_html(
            openapi_url=f"{root}{app.openapi_url}",
            title=f"{app.title} API",
            swagger_js_url=f"{root}/docs/files/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/docs/files/swagger-ui.css",
            swagger_favicon_url=f"{root}/docs/files/favicon.png",
            swagger_ui_parameters={"tryItOutEnabled": True},
        )
        # The page holds the API key that a user pastes, so it runs only its own scripts, calls only
        # this service, and cannot be framed.
        page.headers["Content-Security-Policy"] = _policy(bytes(page.body).decode())
        page.headers["Referrer-Policy"] = "no-referrer"
        page.headers["X-Frame-Options"] = "DENY"
        return page


def _policy(page: str) -> str:
    """Return a Content-Security-Policy that allows the page's inline scripts by their digests."""
    scripts = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in INLINE_SCRIPT.findall(page)
    )
    return (
        f"default-src 'none'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
