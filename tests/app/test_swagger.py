"""Swagger UI as people use it, in a real Chromium without internet access."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.contributions.modes.registry import mode_of
from tests.app.conftest import Party, Service
from tests.browser import LIMIT, chromium
from tests.conftest import ON_SQLITE
from wassay.modes import MODES

pytestmark = ON_SQLITE

PLACEHOLDER = "_…"
"""The end of a placeholder for an id in a prepared body."""

POINTS = {"points": [[0.0, 1.0], [1.0, 0.5]]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A small page, because drawing costs more than what the tests look at."""
    page = browser.new_page(viewport={"width": 600, "height": 300}, reduced_motion="reduce")
    page.set_default_timeout(LIMIT)
    yield page
    page.close()


def authorise(page: Page, key: str) -> None:
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".modal-ux")
    dialog.get_by_role("textbox").fill(key)
    dialog.get_by_role("button", name="Apply credentials").click()
    dialog.get_by_role("button", name="Close").click()


def test_a_person_authorises_and_creates_a_reference_in_swagger_ui(
    page: Page, service: Service, http: Callable[..., Party]
) -> None:
    asked_of: set[str] = set()
    complaints: list[str] = []
    page.on("request", lambda request: asked_of.add(request.url.split("/docs")[0]))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    buyer = http("buyer")

    page.goto(f"{service.url}/docs")
    authorise(page, buyer.key)

    operation = page.locator(".opblock-post", has_text="/v1/references")
    operation.locator(".opblock-summary-control").click()
    operation.locator("textarea").fill(
        json.dumps({"size": 1, "dimension": 64, "distribution": {"kind": "normal"}})
    )
    operation.get_by_role("button", name="Execute").click()

    answer = operation.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").last).to_contain_text("201")
    references = buyer.get("/v1/references").json()["items"]
    assert [(one["size"], one["dimension"]) for one in references] == [(1, 64)]
    assert references[0]["id"] in answer.inner_text()
    assert all(url.startswith(service.url) for url in asked_of)
    assert complaints == []

    page.reload()
    page.get_by_role("button", name="Authorize").first.click()
    expect(page.locator(".modal-ux").get_by_role("textbox")).to_have_value("")
    assert buyer.key not in json.dumps(page.evaluate("() => [localStorage, sessionStorage]"))


class Reader:
    """Sends the bodies that the page prepares, with ids from earlier responses filled in."""

    def __init__(self, page: Page, url: str, key: str) -> None:
        self._page = page
        self.ids: dict[str, str] = {}
        self.sent: set[tuple[str, str]] = set()
        page.goto(f"{url}/docs")
        authorise(page, key)

    def send(self, method: str, path: str, **parameters: str) -> Any:
        """Fill in parameters and ids, change nothing else, execute, and return the response."""
        blocks = self._page.locator(f".opblock-{method.lower()}")
        # An operation with two tags is on the page twice.
        operation = blocks.filter(has=self._page.locator(f'[data-path="{path}"]')).first
        operation.locator(".opblock-summary-control").click()
        named = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        for name in named | parameters.keys():
            field = operation.locator(f'tr[data-param-name="{name}"] input')
            field.fill(parameters.get(name) or self.ids[name])
        operation.locator(".opblock-section-request-body").wait_for()
        types = operation.locator("select.content-type").first
        if types.count() and "application/x-npy" in types.inner_text():
            types.select_option("application/json")
        self._fill_in_ids(operation.locator("textarea.body-param__text"))
        with self._page.expect_response(
            lambda response: response.request.method == method and "/v1/" in response.url
        ) as answered:
            operation.get_by_role("button", name="Execute").click()
        answer = answered.value
        assert answer.ok, (method, path, answer.request.post_data, answer.text())
        operation.locator(".opblock-summary-control").click()
        self.sent.add((method, path))
        return answer.json() if answer.body() else None

    def _fill_in_ids(self, body: Locator) -> None:
        expect(body).to_have_value(re.compile(r"\S"))  # the page prepares it after a while
        prepared = body.input_value()
        if PLACEHOLDER in prepared:
            known = json.loads(prepared)
            mine = {name: self.ids[name] for name in known if name in self.ids}
            body.fill(json.dumps({**known, **mine}))


def test_every_prepared_body_succeeds_as_it_is(
    page: Page, service: Service, http: Callable[..., Party]
) -> None:
    party = http("buyer", "seller", "admin")
    page.route(f"**{service.app.openapi_url}", lambda route: route.fulfill(json=bodies(service)))
    reader = Reader(page, service.url, party.key)
    send, ids = reader.send, reader.ids
    send("POST", "/v1/accounts")
    ids["account_id"] = party.account_id
    send("POST", "/v1/accounts/{account_id}/keys")
    send("PUT", "/v1/accounts/{account_id}/encryption-key")
    ids["listing_id"] = send("POST", "/v1/listings")["id"]
    read = party.get(f"/v1/listings/{ids['listing_id']}")
    send("PATCH", "/v1/listings/{listing_id}", **{"if-match": read.headers["etag"]})
    ids["reference_id"] = send("POST", "/v1/references")["id"]
    ids["request_id"] = send("POST", "/v1/requests")["id"]
    read = party.get(f"/v1/requests/{ids['request_id']}")
    send("PATCH", "/v1/requests/{request_id}", **{"if-match": read.headers["etag"]})
    send("PUT", "/v1/requests/{request_id}/measure")
    send("POST", "/v1/requests/{request_id}/invitations")
    assert party.post(f"/v1/requests/{ids['request_id']}/open").is_success
    ids["contribution_id"] = send("POST", "/v1/requests/{request_id}/contributions")["id"]
    send("PUT", "/v1/contributions/{contribution_id}/measures/{s}", s="0.25")
    for s in ("0.5", "0.75"):
        path = f"/v1/contributions/{ids['contribution_id']}/measures/{s}"
        assert party.put(path, json=POINTS).is_success
    send("POST", "/v1/contributions/{contribution_id}/submit")
    send("POST", "/v1/requests/{request_id}/evaluation-cost")
    send("POST", "/v1/requests/{request_id}/evaluations")
    ids["request_id"] = sealed(party)
    send("PUT", "/v1/requests/{request_id}/sealed-keys/{account_id}")
    for mode in MODES.keys() - {"measure"}:
        path = mode_of(mode).upload_path
        ids["contribution_id"] = begun(party, ids["reference_id"], mode)
        parameters = {"s": "0.25"} if "{s}" in path else {}
        send("PUT", f"/v1/contributions/{{contribution_id}}/{path}", **parameters)
    ids["contribution_id"] = begun(party, ids["reference_id"], "measure")
    send("POST", "/v1/contributions/{contribution_id}/decline")
    send("PUT", "/v1/accounts/{account_id}/caps")
    assert reader.sent == with_bodies(service)


def sealed(party: Party) -> str:
    """Return the id of a request with a sealed reference, to which its own buyer is invited."""
    terms = {"size": 1, "dimension": 2, "distribution": {"kind": "normal"}}
    reference = {**terms, "disclosure": "sealed", "commitment": "ab" * 32}
    reference_id = party.post("/v1/references", json=reference).json()["id"]
    body = {"title": "Sealed", "reference_id": reference_id}
    made = str(party.post("/v1/requests", json=body).json()["id"])
    invitation = {"account_id": party.account_id}
    assert party.post(f"/v1/requests/{made}/invitations", json=invitation).is_success
    return made


def begun(party: Party, reference_id: str, mode: str) -> str:
    """Return the id of a draft contribution to a request that reveals its measure."""

    def post(path: str, **body: Any) -> Any:
        answer = party.post(f"/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    terms = {"modes": [mode], "reveals_measure": True, "audience": "everyone"}
    made = post("requests", title=mode, reference_id=reference_id, **terms)["id"]
    assert party.put(f"/v1/requests/{made}/measure", json=POINTS).is_success
    post(f"requests/{made}/open")
    return str(post(f"requests/{made}/contributions", mode=mode)["id"])


def with_bodies(service: Service) -> set[tuple[str, str]]:
    paths = bodies(service)["paths"]
    return {(method.upper(), path) for path, operations in paths.items() for method in operations}


def bodies(service: Service) -> dict[str, Any]:
    """Return the document with only what the page prepares bodies from."""
    # Of the whole document, the page resolves and draws everything again for each operation.
    document = service.app.openapi()
    paths = {
        path: {
            method: {**operation, "responses": {}}
            for method, operation in operations.items()
            if "application/json" in operation.get("requestBody", {}).get("content", {})
        }
        for path, operations in document["paths"].items()
    }
    paths = {path: operations for path, operations in paths.items() if operations}
    all_schemas, schemas = document["components"]["schemas"], dict[str, Any]()
    missing = schemas_of(paths)
    while missing:
        schemas |= {name: all_schemas[name] for name in missing}
        missing = schemas_of(schemas) - schemas.keys()
    components = {**document["components"], "schemas": schemas}
    return {**document, "paths": paths, "components": components}


def schemas_of(part: Any) -> set[str]:
    """Return the names of the schemas that a part of the document refers to."""
    return set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(part)))


def test_swagger_ui_runs_its_own_scripts_alone_in_no_frame(anonymous: httpx.Client) -> None:
    page = anonymous.get("/docs")
    policy = page.headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-content-type-options"] == "nosniff"


def test_swagger_ui_loads_nothing_from_elsewhere(anonymous: httpx.Client) -> None:
    page = anonymous.get("/docs").text
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(loaded) == 3
    assert not re.search("https?://", page)
    for address in loaded:
        assert address.startswith("/docs/files/")
        assert anonymous.get(address).status_code == 200
