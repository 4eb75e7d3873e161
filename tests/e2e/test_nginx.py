"""The service behind a real nginx, configured as documented: TLS, a path prefix, compression."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import ot
import pytest
from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.e2e.processes import Process
from tests.e2e.service import NewParty, Party, Service, parties, running_service
from tests.nginx import Proxy, running_nginx
from wassay import Buyer, Seller
from wassay.client import NotFoundError
from wassay.client import environment as client_environment

random = np.random.default_rng(11)
NEEDED = random.normal(size=(30, 190))
OFFERED = random.normal(0.1, 1.0, size=(720, 190))  # 1.1 MB
NGINX_DEFAULT = {"client_max_body_size 0;": ""}


class Origin(ThreadingHTTPServer):
    """The origin of a front end: one empty page."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Origin]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>A front end</title>")
    (folder / "favicon.ico").touch()
    with Origin(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def direct(page: Origin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service behind nginx, without a worker."""
    settings = {"WASSAY_ROOT_PATH": "/wassay", "WASSAY_CORS_ORIGINS": page.origin}
    with running_service(tmp_path_factory.mktemp("direct"), settings, "--no-worker") as service:
        yield service


@contextmanager
def trusted_nginx(service: Service, folder: Path, changes: Mapping[str, str]) -> Iterator[Proxy]:
    """Run nginx in front of a service, with a certificate that clients trust."""
    port = urlsplit(service.url).port
    assert port is not None
    with running_nginx(folder, port, changes) as proxy, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(proxy.certificate))
        client_environment.certificates.cache_clear()
        yield proxy
    client_environment.certificates.cache_clear()


@pytest.fixture(scope="module")
def proxy(direct: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with trusted_nginx(direct, tmp_path_factory.mktemp("nginx"), {}) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def new_party(direct: Service, proxy: Proxy) -> Iterator[NewParty]:
    with parties(replace(direct, url=proxy.url)) as new:
        yield new


@pytest.fixture
def seller(new_party: NewParty) -> Party:
    return new_party("seller")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A browser page with cookies and a cache of its own."""
    with browser.new_context(ignore_https_errors=True) as context:
        context.set_default_timeout(120_000)
        yield context.new_page()


def http(party: Party, proxy: Proxy) -> httpx.Client:
    return httpx.Client(
        base_url=proxy.url,
        headers={"Authorization": f"Bearer {party.key}"},
        verify=proxy.trusted,
        timeout=120,
    )


def publish(party: Party) -> Any:
    return party.client.listings.create(
        title="Digits", dimension=2, points=100, description="many words " * 200
    )


def test_what_nginx_compressed_is_edited_through_the_sdk_and_by_hand(
    seller: Party, proxy: Proxy
) -> None:
    listing = publish(seller)
    edited = seller.client.listings.edit(listing, title="Letters")
    assert edited.title == "Letters"
    with http(seller, proxy) as by_hand:
        path = f"/v1/listings/{listing.id}"
        read = by_hand.get(path, headers={"Accept-Encoding": "gzip"})
        assert read.headers["content-encoding"] == "gzip"
        weak = read.headers["etag"]
        assert weak.startswith('W/"')
        changed = by_hand.patch(path, json={"title": "Words"}, headers={"If-Match": weak})
        assert changed.json()["title"] == "Words"
        stale = by_hand.patch(path, json={"title": "Mine"}, headers={"If-Match": weak})
        assert stale.status_code == 412


def test_events_arrive_when_they_happen(new_party: NewParty, proxy: Proxy) -> None:
    both = new_party("buyer", "seller")
    request = Buyer(both.client).ask(
        random.normal(size=(20, 2)), title="Two", sellers=[both.account_id]
    )
    Seller(both.client).answer(request.id, random.normal(size=(20, 2)))
    evaluation = request.evaluate()
    path = f"/v1/evaluations/{evaluation.id}"
    with (
        http(both, proxy) as by_hand,
        by_hand.stream("GET", f"{path}/events", headers={"Accept-Encoding": "gzip"}) as stream,
    ):
        states = (
            json.loads(line.removeprefix("data: "))["state"]
            for line in stream.iter_lines()
            if line.startswith("data: ")
        )
        # No worker runs, so the stream stays open, and buffered events would come a minute late.
        assert next(states) == "waiting"
        assert by_hand.post(f"{path}/cancel").json()["state"] == "cancelled"
        assert next(states) == "cancelled"


def test_locations_heads_and_slashes_stay_behind_tls_and_under_the_path(
    seller: Party, proxy: Proxy
) -> None:
    new = {"title": "Digits", "dimension": 2, "points": 100}
    with http(seller, proxy) as by_hand:
        made = by_hand.post("/v1/listings", json=new)
        where = httpx.URL(proxy.url).join(made.headers["location"])
        assert str(where) == f"{proxy.url}/v1/listings/{made.json()['id']}"
        got, head = by_hand.get(where), by_hand.head(where)
        assert got.json() == made.json()
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == got.headers["content-type"]
        slash = by_hand.get("/v1/listings/")
        assert slash.status_code == 404
        assert slash.headers["content-type"] == "application/problem+json"
        assert "location" not in slash.headers
        assert by_hand.get("/openapi.json").json()["servers"] == [{"url": "/wassay"}]
        assert by_hand.get("/metrics").status_code == 404
        assert by_hand.get("/metrics").headers["server"].startswith("nginx")


def test_an_id_reaches_no_other_route_through_nginx(seller: Party) -> None:
    with pytest.raises(NotFoundError, match="There is no"):
        seller.client.listings.get("../accounts/me")


@pytest.mark.parametrize("allowed", [True, False])
def test_a_front_end_in_a_browser_edits_where_its_origin_is_named(
    seller: Party, proxy: Proxy, page: Origin, tab: Page, allowed: bool
) -> None:
    listing = publish(seller)
    host = page.origin if allowed else page.origin.replace("127.0.0.1", "localhost")
    call = """async ([url, key]) => {
        const headers = {Authorization: `Bearer ${key}`}
        const read = await fetch(url, {headers})
        const tag = read.headers.get("ETag")
        const body = JSON.stringify({title: "From a page"})
        const edit = {"If-Match": tag, "Content-Type": "application/json", ...headers}
        const edited = await fetch(url, {method: "PATCH", headers: edit, body})
        return [edited.status, edited.headers.get("RateLimit"), edited.headers.get("X-Request-Id")]
    }"""
    url = f"{proxy.url}/v1/listings/{listing.id}"
    tab.goto(host)
    if allowed:
        status, rate, request_id = tab.evaluate(call, [url, seller.key])
        assert (status, bool(rate), bool(request_id)) == (200, True, True)
    else:
        with pytest.raises(Exception, match="Failed to fetch"):
            tab.evaluate(call, [url, seller.key])
    expected = "From a page" if allowed else "Digits"
    assert seller.client.listings.get(listing.id).title == expected


def test_swagger_ui_works_under_the_path(proxy: Proxy, tab: Page) -> None:
    failed: list[str] = []
    tab.on("response", lambda answer: failed.append(answer.url) if not answer.ok else None)
    tab.goto(f"{proxy.url}/docs")
    tab.locator(".opblock-get", has_text="/healthz").locator("button").first.click()
    tab.get_by_role("button", name="Execute").click()
    answer = tab.locator(".live-responses-table")
    answer.get_by_text('"alive"').first.wait_for()
    assert failed == []


@pytest.fixture(scope="module")
def worker(direct: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start a worker for the tests below; those above need waiting evaluations."""
    folder = tmp_path_factory.mktemp("worker")
    variables = {"WASSAY_DATA_FOLDER": str(direct.data_folder)}
    with Process(folder, variables, "worker", "--concurrency", "1"):
        yield


@pytest.mark.parametrize(
    "changes", [{}, NGINX_DEFAULT], ids=["as documented", "with nginx's own limit of 1 MB"]
)
@pytest.mark.usefixtures("worker")
def test_a_buyer_and_a_seller_with_megabytes_deal_through_nginx(
    direct: Service, tmp_path: Path, changes: Mapping[str, str]
) -> None:
    with (
        trusted_nginx(direct, tmp_path, changes) as proxy,
        parties(replace(direct, url=proxy.url)) as new_party,
    ):
        buyer, seller = new_party("buyer"), new_party("seller")
        request = Buyer(buyer.client).ask(
            NEEDED, title="Many features", sellers=[seller.account_id]
        )
        Seller(seller.client).answer(request.id, OFFERED)
        result = request.evaluate().wait(timeout=300).result()
    true = ot.emd2(ot.unif(len(NEEDED)), ot.unif(len(OFFERED)), ot.dist(NEEDED, OFFERED)) ** 0.5
    together = result.estimates().grand_coalition
    assert together is not None
    assert together.interval is not None
    lower, upper = together.interval
    assert lower <= true <= upper
