"""Error messages of the service for wrong calls over HTTP."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from tests.app.conftest import problem
from tests.app.mistakes.mistake import Told
from tests.app.mistakes.scene import NEEDED, OFFERED, Scene
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

Make = Callable[[Scene], httpx.Response]
REFERENCE = {"size": 1, "dimension": 2, "distribution": {"kind": "normal"}}
REQUEST = {"title": "T", "reference_id": "ref_0"}
JSON, NPY = {"Content-Type": "application/json"}, {"Content-Type": "application/x-npy"}
PUT_MEASURE = "/v1/requests/{draft}/measure"


def npy(array: Any) -> bytes:
    written = io.BytesIO()
    np.save(written, array)
    return written.getvalue()


def draft_of(scene: Scene) -> str:
    """Return the id of the buyer's draft, which tests share because they do not change it."""
    if "draft" not in scene.made:
        reference = scene.http("buyer", "POST", "/v1/references", json=REFERENCE).json()["id"]
        body = {"title": "Draft", "reference_id": reference}
        made = scene.http("buyer", "POST", "/v1/requests", json=body)
        scene.made["draft"] = str(made.json()["id"])
    return scene.made["draft"]


def begun_by(scene: Scene) -> str:
    """Return the id of the newcomer's draft contribution to the request for everyone."""
    if "begun" not in scene.made:
        path = f"/v1/requests/{scene.public.id}/contributions"
        made = scene.http("newcomer", "POST", path, json={"mode": "measure"})
        scene.made["begun"] = str(made.json()["id"])
    return scene.made["begun"]


def call(method: str, path: str, body: Any = None, *, who: str = "buyer", **sent: Any) -> Make:
    """Return a function that makes a call; names in braces in `path` stand for ids of the scene."""

    def make(scene: Scene) -> httpx.Response:
        ids: dict[str, Callable[[], str]] = {
            "draft": lambda: draft_of(scene),
            "begun": lambda: begun_by(scene),
            "asked": lambda: scene.asked.id,
            "untouched": lambda: scene.untouched.id,
            "ended": lambda: scene.ended.id,
            "expired": lambda: scene.expired.id,
            "contribution": lambda: scene.contribution_id,
            "evaluation": lambda: scene.evaluation.id,
            "waiting": lambda: scene.waiting.id,
            "buyer": lambda: scene.parties["buyer"].account_id,
            "seller": lambda: scene.parties["seller"].account_id,
        }
        named = path
        for name, id_ in ids.items():
            if f"{{{name}}}" in named:
                named = named.replace(f"{{{name}}}", id_())
        if body is not None:
            sent["json"] = body
        return scene.http(who, method, named, **sent)

    return make


def text(content: str | bytes, headers: dict[str, str] = JSON) -> Make:
    return call("POST", "/v1/references", content=content, headers=headers)


def reference(**changes: Any) -> Make:
    return call("POST", "/v1/references", {**REFERENCE, **changes})


def request(**changes: Any) -> Make:
    return call("POST", "/v1/requests", {**REQUEST, **changes})


def measure(content: Any, headers: dict[str, str] = NPY, **query: str) -> Make:
    return call("PUT", PUT_MEASURE, content=content, headers=headers, params=query)


def without_key(**headers: str) -> Make:
    return lambda scene: scene.anonymous.get("/v1/accounts/me", headers=headers)


MISTAKES: dict[str, tuple[Make, int, str, Told]] = {
    # Keys
    "no key at all": (
        without_key(),
        *(401, "not-authenticated"),
        Told("Authorization header", "received none", "`Bearer wsy_…`"),
    ),
    "a key in another header": (
        without_key(**{"X-Api-Key": "wsy_1"}),
        *(401, "not-authenticated"),
        Told("Authorization header", "received none", "`Bearer wsy_…`"),
    ),
    "a key without the word Bearer": (
        without_key(Authorization="wsy_1"),
        *(401, "not-authenticated"),
        Told("Authorization header", "received a header of another form", "`Bearer wsy_…`"),
    ),
    "a password as the key": (
        without_key(Authorization="Bearer hunter2"),
        *(401, "not-authenticated"),
        Told("API key", "received something else", "begins with wsy_"),
    ),
    "a key that was cut off": (
        without_key(Authorization="Bearer wsy_00000000_x"),
        *(401, "not-authenticated"),
        Told("API key", "unknown, revoked, expired or cut off", "Copy it again"),
    ),
    "a seller's key where a buyer's is needed": (
        call("POST", "/v1/references", REFERENCE, who="seller"),
        *(403, "forbidden"),
        Told("scope buyer", "yours has seller", "ask an administrator for one"),
    ),
    "a buyer's key for what operators do": (
        call("GET", "/v1/admin/evaluations"),
        *(403, "forbidden"),
        Told("scope admin", "yours has buyer", "Use a key that has it"),
    ),
    "the caps of another account": (
        call("PUT", "/v1/accounts/{buyer}/caps", {"questions": 1}, who="seller"),
        *(403, "forbidden"),
        Told("caps", "received acc_", "Expected your own account"),
    ),
    # Routes
    "a misspelt route": (
        call("GET", "/v1/request"),
        *(404, "not-found"),
        Told("route", "/v1/request", "See /docs"),
    ),
    "a route without /v1": (
        call("GET", "/requests"),
        *(404, "not-found"),
        Told("route", "/requests", "begin with /v1"),
    ),
    "a slash at the end": (
        call("GET", "/v1/requests/"),
        *(404, "not-found"),
        Told("route", "/v1/requests/", "No route ends with a slash"),
    ),
    "another method": (
        call("PUT", "/v1/requests", {}),
        *(405, "method-not-allowed"),
        Told("/v1/requests", "received PUT", "GET, HEAD, POST"),
    ),
    "a GET of what changes something": (
        call("GET", "/v1/requests/{asked}/open"),
        *(405, "method-not-allowed"),
        Told("/open", "received GET", "POST"),
    ),
    # Bodies
    "no body": (text(""), 422, "invalid", Told("body", "received nothing", "a JSON object")),
    "a body that was cut off": (
        text('{"size": 1'),
        *(422, "invalid"),
        Told("body", "at character 10", "expected JSON"),
    ),
    "a dictionary of Python as the body": (
        text("{'size': 1}"),
        *(422, "invalid"),
        Told("body", "{'size': 1}", "double quotes"),
    ),
    "a comma too many": (text('{"size": 1,}'), 422, "invalid", Told("body", ",}", "expected JSON")),
    "a list for an object": (
        call("POST", "/v1/references", [REFERENCE]),
        *(422, "invalid"),
        Told("body", "a list of 1", "expected an object"),
    ),
    "a field twice": (
        text('{"size": 1, "size": 2}'),
        *(422, "invalid"),
        Told("body", "'size' twice", "expected different names"),
    ),
    "NaN in JSON": (
        text('{"size": NaN}'),
        *(422, "invalid"),
        Told("body.size", "received nan", "expected a whole number"),
    ),
    "a form for JSON": (
        call("POST", "/v1/references", data={"size": "1"}),
        *(422, "invalid"),
        Told("body", "another type", "Content-Type: application/json"),
    ),
    "JSON as plain text": (
        text(json.dumps(REFERENCE), {"Content-Type": "text/plain"}),
        *(422, "invalid"),
        Told("body", "another type", "Content-Type: application/json"),
    ),
    "a body in Latin-1": (
        text(b'{"\xe9": 1}'),
        *(400, "bad-request"),
        Told("body", "cannot be parsed", "JSON in UTF-8"),
    ),
    "a body that is too large": (
        text(b" " * 2_000_000),
        *(413, "body-too-large"),
        Told("body", "received more", "at most"),
    ),
    "a misspelt field": (
        reference(dimensions=3),
        *(422, "invalid"),
        Told("body.dimensions", "received 3", "did you mean dimension?"),
    ),
    "a forgotten field": (
        call("POST", "/v1/references", {"size": 1, "dimension": 2}),
        *(422, "invalid"),
        Told("body.distribution", "received nothing", "expected a value"),
    ),
    "a word for a number": (
        reference(size="one"),
        *(422, "invalid"),
        Told("body.size", "received 'one'", "expected a whole number"),
    ),
    "a number in quotation marks": (
        reference(size="1"),
        *(422, "invalid"),
        Told("body.size", "received '1'", "expected a whole number"),
    ),
    "a fraction for a whole number": (
        reference(size=1.5),
        *(422, "invalid"),
        Told("body.size", "received 1.5", "expected a whole number"),
    ),
    "null for a number": (
        reference(dimension=None),
        *(422, "invalid"),
        Told("body.dimension", "received null", "expected a whole number"),
    ),
    "a negative number": (
        reference(dimension=-2),
        *(422, "invalid"),
        Told("body.dimension", "received -2", "at least 1"),
    ),
    "a huge number": (
        reference(dimension=10**9),
        *(422, "invalid"),
        Told("dimension", "received 1000000000", "at most 65536"),
    ),
    "an unknown distribution": (
        reference(distribution={"kind": "gauss"}),
        *(422, "invalid"),
        Told("body.distribution.kind", "received 'gauss'", "one of 'normal'"),
    ),
    "a distribution without its kind": (
        reference(distribution={}),
        *(422, "invalid"),
        Told("body.distribution", "an object of 0", "with a 'kind'"),
    ),
    "a distribution as text": (
        reference(distribution="normal"),
        *(422, "invalid"),
        Told("body.distribution", "received 'normal'", "expected an object"),
    ),
    # Requests
    "an empty title": (
        request(title=""),
        *(422, "invalid"),
        Told("body.title", "received ''", "at least 1 character"),
    ),
    "a reference that is not there": (
        request(),
        *(404, "not-found"),
        Told("reference", "ref_0", "Check the id"),
    ),
    "a request's id for a reference's": (
        request(reference_id="req_0"),
        *(404, "not-found"),
        Told("reference", "id of a request", "begins with ref_"),
    ),
    "one s for a sweep": (
        request(sweep=0.5),
        *(422, "invalid"),
        Told("body.sweep", "received 0.5", "expected a list"),
    ),
    "a sweep of two": (
        request(sweep=[0.2, 0.4]),
        *(422, "invalid"),
        Told("body.sweep", "a list of 2", "at least 3 items"),
    ),
    "a sweep beyond one": (
        request(sweep=[0.2, 0.4, 1.4]),
        *(422, "invalid"),
        Told("body.sweep.2", "received 1.4", "below 1"),
    ),
    "an order that is not offered": (
        request(order=3),
        *(422, "invalid"),
        Told("body.order", "received 3", "expected 1 or 2"),
    ),
    "an unknown mode": (
        request(modes=["measures"]),
        *(422, "invalid"),
        Told("body.modes.0", "received 'measures'", "one of measure, cost-block, scalar"),
    ),
    "t0, which is secret": (
        request(t0=0.4),
        *(422, "invalid"),
        Told("body.t0", "received 0.4", "expected no field of this name"),
    ),
    "yes for true": (
        request(reveals_measure="yes"),
        *(422, "invalid"),
        Told("body.reveals_measure", "received 'yes'", "true or false"),
    ),
    "a date of another country": (
        request(expires_at="31.12.2027"),
        *(422, "invalid"),
        Told("body.expires_at", "received '31.12.2027'", "such as 2027-12-31T23:59:00Z"),
    ),
    "a time without a zone": (
        request(expires_at="2027-12-31T00:00:00"),
        *(422, "invalid"),
        Told("body.expires_at", "received '2027-12-31T00:00:00'", "with its zone"),
    ),
    "a time that has passed": (
        request(expires_at="2020-01-01T00:00:00Z"),
        *(422, "invalid"),
        Told("body.expires_at", "received '2020", "in the future"),
    ),
    "a request opened without its points": (
        call("POST", "/v1/requests/{draft}/open"),
        *(409, "measure-missing"),
        Told("measure of request req_", "received none yet", "PUT it to"),
    ),
    "a title for an id": (
        call("GET", "/v1/requests/Two features"),
        *(422, "invalid"),
        Told("path.request_id", "received 'Two features'", "such as req_"),
    ),
    "an evaluation's id for a request's": (
        call("GET", "/v1/requests/{evaluation}"),
        *(404, "not-found"),
        Told("request", "id of an evaluation", "begins with req_"),
    ),
    "somebody else's account": (
        call("GET", "/v1/accounts/{seller}"),
        *(404, "not-found"),
        Told("account", "acc_", "may see it"),
    ),
    "an edit without If-Match": (
        call("PATCH", "/v1/requests/{draft}", {"title": "U"}),
        *(428, "precondition-required"),
        Told("If-Match", "received none", "Read the resource"),
    ),
    "an edit of an older version": (
        call("PATCH", "/v1/requests/{draft}", {"title": "U"}, headers={"If-Match": '"x"'}),
        *(412, "precondition-failed"),
        Told("If-Match", 'received "x"', "read it again"),
    ),
    "other points after opening": (
        call("PUT", "/v1/requests/{asked}/measure", content=npy(NEEDED), headers=NPY),
        *(409, "request-not-draft"),
        Told("request req_", "it is open", "Create another request"),
    ),
    "points deleted while sellers answer": (
        call("DELETE", "/v1/requests/{untouched}/measure"),
        *(409, "request-still-open"),
        Told("request req_", "it is open", "Close or cancel the request first"),
    ),
    "an invitation by e-mail address": (
        call("POST", "/v1/requests/{untouched}/invitations", {"account_id": "sol@sigma.example"}),
        *(404, "not-found"),
        Told("account", "sol@sigma.example", "begins with acc_"),
    ),
    # Arrays
    "CSV as an array": (
        measure(b"1,2\n3,4\n", {"Content-Type": "text/csv"}),
        *(415, "unsupported-media-type"),
        Told("Content-Type", "'text/csv'", "application/x-npy or application/json"),
    ),
    "CSV called .npy": (
        measure(b"1,2\n3,4\n"),
        *(422, "malformed-array"),
        Told(".npy array", "another format", "numpy.save"),
    ),
    "an array without its type": (
        measure(npy(NEEDED), {}),
        *(415, "unsupported-media-type"),
        Told("Content-Type", "received none", "application/x-npy"),
    ),
    "a bare list of rows": (
        measure(json.dumps([[1, 2], [3, 4]]), JSON),
        *(422, "malformed-array"),
        Told("'points'", "received a list", "an object"),
    ),
    "a pickle": (
        measure(b"\x80\x04]"),
        *(422, "malformed-array"),
        Told(".npy array", "received a pickle", "numpy.save"),
    ),
    "an array that was cut off": (
        measure(npy(NEEDED)[:-9]),
        *(422, "malformed-array"),
        Told("14 × 2 entries", "received 343", "Expected 352 bytes"),
    ),
    "an array of integers": (
        measure(npy(np.zeros((3, 2), int))),
        *(422, "malformed-array"),
        Told("array", "the dtype '<i8'", "astype('<f8')"),
    ),
    "an array of text": (
        measure(npy(np.array([["a", "b"]]))),
        *(422, "malformed-array"),
        Told("array", "the dtype '<U1'", "float64"),
    ),
    "an array of one dimension": (
        measure(npy(np.zeros(3))),
        *(422, "malformed-array"),
        Told("two dimensions", "the shape (3,)", "at least one row and one column"),
    ),
    "a NaN among the points": (
        measure(npy(np.array([[1.0, np.nan]]))),
        *(422, "invalid-entry"),
        Told("row 0, column 1", "received nan", "leave out its row"),
    ),
    "points of another dimension": (
        measure(npy(np.zeros((3, 5)))),
        *(422, "wrong-shape"),
        Told("reference ref_", "received 5 columns", "in 2 dimensions"),
    ),
    "a digest of another form": (
        measure(npy(NEEDED), {**NPY, "Content-Digest": "abc"}),
        *(422, "digest-mismatch"),
        Told("Content-Digest", "received 'abc'", "sha-256=:<base64"),
    ),
    "negative weights": (
        measure(npy(np.column_stack([NEEDED, -np.ones(14)])), weights="last_column"),
        *(422, "invalid-entry"),
        Told("weight", "received -1.0 at row 0", "non-negative"),
    ),
    # Contributions
    "a mode that the request does not take": (
        call("POST", "/v1/requests/{untouched}/contributions", {"mode": "scalar"}, who="seller"),
        *(422, "mode-not-offered"),
        Told("request req_", "received scalar", "Expected mode measure"),
    ),
    "a second contribution": (
        call("POST", "/v1/requests/{asked}/contributions", {"mode": "measure"}, who="seller"),
        *(409, "already-contributed"),
        Told("request req_", "you already have con_", "ask the buyer for another request"),
    ),
    "a contribution to a request that was cancelled": (
        call("POST", "/v1/requests/{ended}/contributions", {"mode": "measure"}, who="seller"),
        *(404, "not-found"),
        Told("request", "req_", "A seller sees the open requests"),
    ),
    "a submission without arrays": (
        call("POST", "/v1/contributions/{begun}/submit", {}, who="newcomer"),
        *(409, "arrays-missing"),
        Told(
            "contribution con_",
            "received none for s = 0.25, 0.5, 0.75",
            "Upload the missing arrays",
        ),
    ),
    "an s that is not in the sweep": (
        call(
            *("PUT", "/v1/contributions/{begun}/measures/0,25"),
            who="newcomer",
            content=npy(OFFERED),
            headers=NPY,
        ),
        *(404, "unknown-sweep-value"),
        Told("sweep of request req_", "received 0,25", "0.25, 0.5, 0.75"),
    ),
    "other data after submitting": (
        call(
            *("PUT", "/v1/contributions/{contribution}/measures/0.25"),
            who="seller",
            content=npy(OFFERED),
            headers=NPY,
        ),
        *(409, "contribution-not-draft"),
        Told("contribution con_", "it is submitted", "withdraw it and contribute again"),
    ),
    # Evaluations
    "an evaluation before anybody has answered": (
        call("POST", "/v1/requests/{untouched}/evaluations", {}),
        *(409, "no-contributions"),
        Told("request req_", "has none yet", "Wait until a seller"),
    ),
    "an evaluation of a cancelled request": (
        call("POST", "/v1/requests/{ended}/evaluations", {}),
        *(409, "request-not-evaluable"),
        Told("request req_", "is cancelled", "Ask again with another request"),
    ),
    "an evaluation of a contribution that is not there": (
        call("POST", "/v1/requests/{asked}/evaluations", {"contribution_ids": ["con_0"]}),
        *(404, "not-found"),
        Told("contribution", "con_0", "Check the id"),
    ),
    "an evaluation of an account": (
        call("POST", "/v1/requests/{asked}/evaluations", {"contribution_ids": ["acc_0"]}),
        *(404, "not-found"),
        Told("contribution", "id of an account", "begins with con_"),
    ),
    "weights of contributions that are not evaluated": (
        call("POST", "/v1/requests/{asked}/evaluations", {"seller_weights": {"twins": 1.0}}),
        *(422, "seller-weights-incomplete"),
        Told("weight", "received weights for twins", "con_"),
    ),
    "a coalition of others": (
        call("POST", "/v1/requests/{asked}/evaluations", {"coalitions": [["con_0"]]}),
        *(422, "coalition-not-evaluable"),
        Told("coalition 0", "received con_0", "Leave these out"),
    ),
    "a result that is read too early": (
        call("GET", "/v1/evaluations/{waiting}/result"),
        *(409, "evaluation-not-finished"),
        Told("Evaluation evl_", "is waiting", "wait until it has succeeded"),
    ),
    "scores of a contribution that was not evaluated": (
        call("GET", "/v1/evaluations/{evaluation}/scores/con_0"),
        *(404, "not-found"),
        Told("Evaluation evl_", "con_0", "the evaluation's contribution_ids"),
    ),
    "an s in words": (
        call("GET", "/v1/evaluations/{evaluation}/scores?s=half"),
        *(422, "invalid"),
        Told("query.s", "received 'half'", "such as 0.25"),
    ),
    # Lists and headers
    "too long a page": (
        call("GET", "/v1/requests?limit=1000"),
        *(422, "invalid"),
        Told("query.limit", "received '1000'", "at most 100"),
    ),
    "a cursor that was made up": (
        call("GET", "/v1/requests?cursor=abc"),
        *(422, "bad-cursor"),
        Told("cursor", "received 'abc'", "Leave the cursor out"),
    ),
    "an unknown state": (
        call("GET", "/v1/requests?state=opened"),
        *(422, "invalid"),
        Told("query.state", "received 'opened'", "'open'"),
    ),
    "a measure as CSV": (
        call("GET", "/v1/requests/{asked}/measure", headers={"Accept": "text/csv"}),
        *(406, "not-acceptable"),
        Told("Accept", "'text/csv'", "application/x-npy"),
    ),
    "a measure that is not shown": (
        call("GET", "/v1/requests/{asked}/measure", who="seller"),
        *(404, "not-found"),
        Told("Request req_", "no measure that you may read", "mode cost-block"),
    ),
    "negative caps": (
        call("PUT", "/v1/accounts/{seller}/caps", {"questions": -1}, who="seller"),
        *(422, "invalid"),
        Told("body.questions", "received -1", "at least 0"),
    ),
    "a key without scopes": (
        call("POST", "/v1/accounts/{seller}/keys", {"scopes": []}, who="admin"),
        *(422, "invalid"),
        Told("body.scopes", "a list of 0", "at least 1 item"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_who_calls_wrongly_is_told_what_came_and_what_to_do(mistake: str, scene: Scene) -> None:
    make, status, slug, told = MISTAKES[mistake]
    response = make(scene)
    assert problem(response) == (status, slug), response.text
    told.require_in(response.json()["detail"])


def test_an_idempotency_key_is_of_one_body(scene: Scene) -> None:
    headers = {"Idempotency-Key": "mistaken"}
    for dimension in (2, 3):
        body = {**REFERENCE, "dimension": dimension}
        response = scene.http("buyer", "POST", "/v1/references", json=body, headers=headers)
    assert problem(response) == (422, "idempotency-key-reused")
    Told("Idempotency-Key", "received another", "Use a new key").require_in(
        response.json()["detail"]
    )
