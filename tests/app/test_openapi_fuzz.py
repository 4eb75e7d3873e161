"""For generated input, every operation responds as the OpenAPI document says, and never fails."""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.app.conftest import Party, Service, new_parties
from tests.app.described import OPENAPI
from tests.conftest import ON_POSTGRES
from wassay.sealed_boxes import KeyPair

pytestmark = ON_POSTGRES

PROMISES = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


@schemathesis.serializer("application/x-npy")
def npy(_context: object, value: object) -> bytes:
    """Send the generated value as it is, which is hardly ever an array."""
    return value if isinstance(value, bytes) else str(value).encode()


OPERATIONS = [
    (method.upper(), path) for path, operations in OPENAPI["paths"].items() for method in operations
]


@dataclass(frozen=True)
class Somebody:
    """A party with all scopes, and the ids of its objects, keyed by the parameters of paths."""

    party: Party
    theirs: dict[str, str]


@pytest.fixture
def fresh(http: Callable[..., Party]) -> Somebody:
    """A new party with a new object of each kind."""
    return somebody(http)


@pytest.fixture(scope="session")
def settled(service: Service) -> Iterator[Somebody]:
    """A party with an object of each kind, which several operations share."""
    with new_parties(service) as http:
        yield somebody(http)


def somebody(http: Callable[..., Party]) -> Somebody:
    party, seller = http("buyer", "seller", "admin"), http("seller")

    def post(path: str, by: Party = party, **body: Any) -> dict[str, Any]:
        response = by.post(f"/v1/{path}", json=body)
        assert response.is_success, response.text
        made: dict[str, Any] = response.json()
        return made

    def put(path: str, points: list[list[float]], by: Party = party) -> None:
        response = by.put(f"/v1/{path}", json={"points": points})
        assert response.is_success, response.text

    account = party.account_id
    key = post(f"accounts/{account}/keys", scopes=["buyer"])["id"]
    public = {"public_key": KeyPair.draw().public.text}
    assert party.put(f"/v1/accounts/{account}/encryption-key", json=public).is_success
    listing = post("listings", title="Digits", dimension=1, points=2)["id"]
    distribution = {"kind": "constant", "value": 0.0}
    reference = post("references", size=1, dimension=1, distribution=distribution)["id"]
    request = post("requests", title="Which?", reference_id=reference, audience="everyone")["id"]
    put(f"requests/{request}/measure", [[0.0], [1.0]])
    invitation = post(f"requests/{request}/invitations", account_id=account)["id"]
    post(f"requests/{request}/open")
    contributions = f"requests/{request}/contributions"
    submitted = post(contributions, by=seller, mode="measure")["id"]
    for s in (0.25, 0.5, 0.75):
        put(f"contributions/{submitted}/measures/{s}", [[0.5], [2.0]], by=seller)
    post(f"contributions/{submitted}/submit", by=seller)
    evaluation = post(f"requests/{request}/evaluations")["id"]
    draft = post(contributions, mode="measure")["id"]
    put(f"contributions/{draft}/measures/0.25", [[0.5], [2.0]])
    theirs = {
        "account_id": account,
        "key_id": key,
        "listing_id": listing,
        "reference_id": reference,
        "request_id": request,
        "invitation_id": invitation,
        "contribution_id": draft,
        "evaluation_id": evaluation,
    }
    return Somebody(party, theirs)


@pytest.fixture(scope="session")
def schema() -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_dict(OPENAPI)


def test_the_committed_document_is_that_of_the_service(service: Service) -> None:
    assert service.app.openapi() == OPENAPI


def ends(method: str, path: str) -> bool:
    """Return whether an operation may leave an object that other operations cannot use."""
    acts = method == "POST" and "{" in path  # such as closing and submitting
    limits = method != "GET" and path.startswith("/v1/accounts/{")
    return acts or limits or method == "DELETE" or path.endswith("/events")


@pytest.mark.parametrize(
    ("most", "phases"),
    [
        pytest.param(20, [Phase.explicit], id="some cases"),
        pytest.param(sys.maxsize, list(Phase), id="all cases", marks=pytest.mark.endurance),
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), OPERATIONS, ids=[" ".join(operation) for operation in OPERATIONS]
)
def test_every_response_matches_the_openapi_document(
    method: str,
    path: str,
    most: int,
    phases: list[Phase],
    schema: schemathesis.BaseSchema,
    service: Service,
    request: pytest.FixtureRequest,
) -> None:
    known: Somebody = request.getfixturevalue("fresh" if ends(method, path) else "settled")
    party, theirs = known.party, known.theirs

    @settings(
        max_examples=3,
        phases=phases,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def answers_as_it_says(case: schemathesis.Case[Any]) -> None:
        case.path_parameters.update(
            {name: id_ for name, id_ in theirs.items() if name in case.path_parameters}
        )
        for name in list(case.headers):
            if name.lower() == "authorization":
                del case.headers[name]
        if path.endswith("/events"):  # so that the stream ends
            party.post(f"/v1/evaluations/{theirs['evaluation_id']}/cancel")
        case.call_and_validate(
            base_url=service.url,
            headers={"Authorization": f"Bearer {party.key}"},
            checks=PROMISES,
        )

    # Not `schema.parametrize()`, because every process would generate all cases while collecting.
    (made,) = get_all_tests(
        schema=schema.include(method=method, path=path),
        test_func=answers_as_it_says,
        settings=None,
        given_kwargs=None,
    )
    assert isinstance(made, Ok)
    _, call_with_each_case = made.ok()
    # These cases are the boundary values of each field: hundreds for a body with many fields.
    cases: list[Any] = vars(call_with_each_case)["hypothesis_explicit_examples"]
    assert cases
    cases[:] = cases[:: math.ceil(len(cases) / most)]
    call_with_each_case()


def test_the_example_bodies_of_swagger_ui_are_accepted(service: Service, fresh: Somebody) -> None:
    somebody, theirs = fresh.party, fresh.theirs
    document = service.app.openapi()
    sent = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            body = example_of(content["schema"], document)
            body |= {name: id_ for name, id_ in theirs.items() if name in body}
            response = somebody.request(
                method,
                path.format(**theirs, s=0.25),
                json=body,
                headers={"If-Match": "*"} if method == "patch" else {},
            )
            assert response.status_code in {200, 201, 202, 409}, (path, response.text)
            sent += 1
    assert sent > 15


def example_of(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return the body that Swagger UI offers: the example of the schema or of each field."""
    schema = schema.get("anyOf", [schema])[0]  # the alternative is no body
    name = schema.get("$ref", "").removeprefix("#/components/schemas/")
    schema = document["components"]["schemas"][name] if name else schema
    if "examples" in schema:
        return dict(schema["examples"][0])
    return {
        field: known["examples"][0]
        for field, known in schema["properties"].items()
        if "examples" in known
    }
