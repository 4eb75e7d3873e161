"""Swagger UI as people use it, in a real Chromium without internet access."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import Party, Service
from tests.browser import LIMIT, chromium
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE


@pytest.fixture
def page() -> Iterator[Page]:
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(LIMIT)
        yield page


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
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".modal-ux")
    dialog.get_by_role("textbox").fill(buyer.key)
    dialog.get_by_role("button", name="Apply credentials").click()
    dialog.get_by_role("button", name="Close").click()

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
