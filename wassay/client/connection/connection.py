"""Call the service, and parse its responses into models."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from uuid import uuid4

import httpx
from pydantic import ValidationError

from wassay.client.array_uploads import ArrayUploads
from wassay.client.connection.calls import as_json, url_of
from wassay.client.connection.flows import (
    Call,
    Flow,
    R,
    Runner,
    Runs,
)
from wassay.client.connection.npy import ArrayBody
from wassay.client.connection.pagination import Pages, ReadPage
from wassay.client.connection.retries import RetryingSender
from wassay.client.errors import IntegrityError, UnexpectedResponseError, problem_error
from wassay.errors import InvalidArgumentError
from wassay.models import Listing, Model, Page, Problem, Request, StoredArray

M = TypeVar("M", bound=Model)
A = TypeVar("A", bound=StoredArray)
E = TypeVar("E", Listing, Request)


class Connection:
    """Sends calls to one service and retries them. Paths are passed as separate segments.

    Attributes
    ----------
    base_url : str
    key_digest : str
        The SHA-256 of the API key, in hexadecimal digits.
    """

    def __init__(self, base_url: str, api_key: str) -> None:
        self.base_url = base_url
        self.key_digest = hashlib.sha256(api_key.encode()).hexdigest()
        self._sender = RetryingSender(base_url)
        self._uploads = ArrayUploads(self._sender)

    def get(self, *path: str, model: type[M], **query: Any) -> Flow[M]:
        """GET one object, and parse it as a `model`."""
        return _parsed(model, (yield from self.send("GET", path, query=query)))

    def pages(self, *path: str, model: type[M], **query: Any) -> ReadPage[M]:
        """Return a function that GETs one page of a list, given the page's cursor.

        The cursor of the first page is None; items are parsed as `model`.
        """
        page = Page[model]  # type: ignore[valid-type]
        return lambda cursor: self.get(*path, model=page, cursor=cursor, **query)

    def create(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """POST a new object, and return the response, parsed as a `model`."""
        # With the key, a retry cannot create the object twice.
        headers = {"Idempotency-Key": str(uuid4())}
        return _parsed(model, (yield from self.send("POST", path, body=body, headers=headers)))

    def act(self, *path: str, model: type[M], body: Mapping[str, Any] | None = None) -> Flow[M]:
        """POST an action on an object, and return the response, parsed as a `model`."""
        return _parsed(model, (yield from self.send("POST", path, body=body)))

    def put(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """PUT an object in place of the current one; return the response, parsed as a `model`."""
        return _parsed(model, (yield from self.send("PUT", path, body=body)))

    def edit(self, kind: str, *, base: E, changes: Mapping[str, Any]) -> Flow[E]:
        """PATCH an object, unless it was edited since the caller read `base`.

        Parameters
        ----------
        kind : {'listings', 'requests'}
            The first segment of the object's path.
        base : Listing or Request
            The object as the caller read it.
        changes : mapping of str to Any
            The new values, by the name of the field.

        Raises
        ------
        InvalidArgumentError
            If `base` is not a listing or a request.
        PreconditionError
            If the object was edited since the caller read `base`.
        UnexpectedResponseError
            If the service's response has no entity tag; then nothing is edited.
        """
        if not isinstance(base, Listing | Request):
            raise InvalidArgumentError(
                "expected the listing or request to edit, as it was read, received "
                f"{base!r}: get it first"
            )
        path = (kind, base.id)
        # Ask for no compression: proxies change or drop the entity tags of responses they compress.
        current = yield from self.send("GET", path, headers={"Accept-Encoding": "identity"})
        if _parsed(type(base), current) != base:
            raise problem_error(
                Problem(
                    type="/problems/precondition-failed",
                    title="Precondition failed",
                    status=HTTPStatus.PRECONDITION_FAILED,
                    detail=f"{base.id} was edited since you read it. Read it again, then repeat "
                    "the edit.",
                )
            )
        if "ETag" not in current.headers:
            raise UnexpectedResponseError(
                f"expected an ETag header, which names the version to edit, with the response of "
                f"{current.request.url}, received none, so nothing was edited. A proxy in front of "
                "the service removes the header: have its operator pass the header on (nginx drops "
                "it where nginx rewrites the body)."
            )
        headers = {"If-Match": current.headers["ETag"]}
        edited = yield from self.send("PATCH", path, body=changes, headers=headers)
        return _parsed(type(base), edited)

    def upload(self, *path: str, model: type[A], body: ArrayBody) -> Flow[A]:
        """PUT an array, check the digest that the service stored, and return the response.

        At the end, the rows of `body` are freed.

        Raises
        ------
        IntegrityError
            If the service stored an array with another digest.
        """
        try:
            stored = _parsed(model, (yield from self._uploads.put(path, body)))
        finally:
            body.free_rows()
        if stored.digest != body.digest.hex():
            raise IntegrityError(
                f"sent an array with SHA-256 {body.digest.hex()}, but the service stored one with "
                f"{stored.digest}. Upload it again."
            )
        return stored

    def delete(self, *path: str) -> Flow[None]:
        """DELETE an object."""
        yield from self.send("DELETE", path)

    def send(
        self,
        method: str,
        path: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Flow[httpx.Response]:
        """Send a call, retry it if that is safe, and return the successful response.

        Raises
        ------
        InvalidArgumentError
            If a segment of the path is malformed, or JSON cannot represent the body.
        ConnectionFailedError
            If there is no response, and the call may not be retried or all retries failed.
        ProblemError
            If the service refused the call.
        """
        query = {name: value for name, value in (query or {}).items() if value is not None}
        json = None if body is None else as_json(body)
        return self._sender.send(Call(method, url_of(path), query, dict(headers or {}), json))


class Resource(Runs[R]):
    """Base of the resources. Each subclass has the calls of one resource."""

    def __init__(self, connection: Connection, run: Runner) -> None:
        super().__init__(run)
        self._connection = connection

    def _pages(self, *path: str, model: type[M], **query: Any) -> Pages[M, R]:
        return Pages(self._connection.pages(*path, model=model, **query), self._run)


def _parsed(model: type[M], response: httpx.Response) -> M:
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        raise UnexpectedResponseError(
            f"{response.request.url} does not respond as Wassay does: {error}"
        ) from error
