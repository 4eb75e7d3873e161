"""Who may call which route, for objects in every state, as the table beside this file says.

A cell is the status of the response, and each route needs a row.
"""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.contributions.modes.registry import mode_of
from app.database import Database
from app.evaluations import events
from app.http.logs import configure_logs
from app.main import create_app
from app.retention import accounts as closing
from app.settings import Settings
from tests.app.access.people import CALLERS, POINTS, Scene, Undone, scene_of
from tests.app.conftest import Service
from tests.app.described import OPENAPI
from tests.app.requests.market import npy
from tests.app.test_openapi_fuzz import example_of
from tests.conftest import ON_SQLITE, NewDatabase
from wassay.modes import MODES

TABLE = Path(__file__).with_name("access_matrix.txt")
ANY = "-"
"""The state in rows of routes whose object has no states."""
ABOVE = '"'
"""Stands for the status in the row above: the key is refused before the object is read."""
OTHER_MODE = "PUT to another mode"
"""The rows of every upload in another mode than that of the contributions, `measure`."""
Table = dict[tuple[str, str], list[str]]


def read_table() -> Table:
    """Read the table: the statuses of all callers, keyed by operation and state."""
    table: Table = {}
    operation = ""
    for line in TABLE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            operation = line
            continue
        state, *statuses = line.split()
        if state != "callers":
            table[operation, state] = statuses
    return table


def expected_table(openapi: Mapping[str, Any]) -> Table:
    """Return the rows that the file has, with the rows of `OTHER_MODE` repeated for each upload."""
    table = read_table()
    for_each_mode = {row: table.pop(row) for row in list(table) if row[0] == OTHER_MODE}
    uploads = {
        f"/v1/contributions/{{contribution_id}}/{mode_of(name).upload_path}"
        for name in MODES
        if name != "measure"
    }
    assert uploads <= openapi["paths"].keys()
    for path in uploads:
        for (_, state), statuses in for_each_mode.items():
            table[f"PUT {path}", state] = statuses
    return table


def printed(table: Table) -> str:
    """Format rows as in the table's file."""
    lines, last = [], ""
    for (operation, state), statuses in table.items():
        if operation != last:
            lines += ["", operation]
        last = operation
        lines.append(f"    {state:<10}" + " ".join(f"{each:>5}" for each in statuses))
    return "\n".join(lines)


def rows_of(
    openapi: Mapping[str, Any], scene: Scene
) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield method, path, state and ids of every row that the table must have."""
    for path, operations in openapi["paths"].items():
        name = next((each for each in scene.states if f"{{{each}}}" in path), None)
        states = {ANY: scene.ids} if name is None else scene.states[name]
        for method in operations:
            for state, ids in states.items():
                yield method.upper(), path, state, scene.ids | ids


def body_of(
    method: str, path: str, openapi: Mapping[str, Any], ids: Mapping[str, str]
) -> dict[str, Any]:
    """Return the arguments of a valid call: its body and headers."""
    operation = openapi["paths"][path][method.lower()]
    content = operation.get("requestBody", {}).get("content", {})
    if "application/x-npy" in content:
        return {"content": npy(POINTS), "headers": {"Content-Type": "application/x-npy"}}
    if not content:
        return {}
    body = example_of(content["application/json"]["schema"], dict(openapi))
    body |= {name: ids[name] for name in ids.keys() & body.keys()}
    return {"json": body}


@ON_SQLITE
def test_every_caller_gets_what_the_table_says(
    new_database_url: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_logs("ERROR")
    url = new_database_url()
    settings = Settings(database_url=url, data_folder=tmp_path, requests_per_minute=10**6)
    application = create_app(settings)
    monkeypatch.setattr(events, "STREAM_SECONDS", 0.0)
    # Erasing takes several transactions, each of which needs the previous one to be committed.
    monkeypatch.setattr(closing, "erase_account", lambda *_: None)

    async def call() -> Table:
        database = Database(url)
        transport = httpx.ASGITransport(application)
        async with (
            application.router.lifespan_context(application),
            httpx.AsyncClient(transport=transport, base_url="http://wassay") as client,
        ):

            async def send(key: str | None, method: str, path: str, **sent: Any) -> httpx.Response:
                headers = sent.pop("headers", {}) | {"If-Match": "*"}
                if key is not None:
                    headers["Authorization"] = f"Bearer {key}"
                return await client.request(method, path, headers=headers, **sent)

            loop = asyncio.get_running_loop()

            def send_from_thread(
                key: str | None, method: str, path: str, body: object, content: bytes | None
            ) -> httpx.Response:
                sent: dict[str, Any] = {} if body is None else {"json": body}
                if content is not None:
                    sent = {"content": content, "headers": {"Content-Type": "application/x-npy"}}
                calling = send(key, method, path, **sent)
                return asyncio.run_coroutine_threadsafe(calling, loop).result()

            service = Service("", application, settings, database)
            scene = await asyncio.to_thread(scene_of, service, send_from_thread)
            application.state.database.dispose()
            application.state.database = Undone(url)
            table: Table = {}
            refused: set[tuple[str, str]] = set()
            for method, path, state, ids in rows_of(OPENAPI, scene):
                sent = body_of(method, path, OPENAPI, ids)
                operation = f"{method} {path}"
                table[operation, state] = []
                for caller in CALLERS:
                    if (operation, caller) in refused:
                        table[operation, state].append(ABOVE)
                        continue
                    response = await send(
                        scene.keys[caller], method, path.format(**ids), **dict(sent)
                    )
                    table[operation, state].append(str(response.status_code))
                    if path.startswith("/v1/"):
                        kept = response.headers.get("Cache-Control")
                        assert kept == "no-store", (operation, state, caller)
                    if response.status_code == 401 or "Expected a key with the scope" in (
                        response.text if response.status_code == 403 else ""
                    ):
                        refused.add((operation, caller))
            return table

    found = asyncio.run(call())
    expected = expected_table(OPENAPI)
    differing = {row: statuses for row, statuses in found.items() if expected.get(row) != statuses}
    assert not differing, f"expected other statuses, or found no row:\n{printed(differing)}"
    assert expected.keys() == found.keys()
