"""What is done over HTTP, written once for callers who wait and for those who await.

A flow is a generator: it says which call to send next, or how long to pause, and is given the
answer. It never sends anything itself, so whoever runs it decides how to wait.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, overload

from typing_extensions import TypeVar


@dataclass(frozen=True)
class Call:
    """One HTTP request; what comes back into the flow is its `httpx.Response`."""

    method: str
    url: str
    query: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)
    json: Mapping[str, Any] | None = field(default=None, repr=False)
    content: Iterable[bytes] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Pause:
    """Seconds to do nothing."""

    seconds: float


class Blocking:
    """Operations return when they are done."""


class Awaiting:
    """Operations are coroutines."""


class Flowing:
    """Operations are flows, for other flows to go through."""


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", default=Blocking)
Flow = Generator[Call | Pause, Any, T]


class Runner(Protocol):
    """Runs a flow to its end: at once, as a coroutine, or not at all."""

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Return what the flow returns, or a way to it."""


def unrun(flow: Flow[T]) -> Flow[T]:
    """Leave a flow to the one that goes through it."""
    return flow


class Runs(Generic[R]):
    """Something with operations; R says what calling one of them gives.

    Parameters
    ----------
    run : Runner
    """

    def __init__(self, run: Runner) -> None:
        self._run = run


class operation(Generic[P, T]):  # noqa: N801 - a decorator
    """A method that is written as a flow, and is called as the object that has it runs them."""

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.flow = flow
        self.__doc__ = flow.__doc__

    @overload
    def __get__(self, owner: Runs[Blocking], kind: object) -> Callable[P, T]: ...
    @overload
    def __get__(
        self, owner: Runs[Awaiting], kind: object
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, owner: Runs[Flowing], kind: object) -> Callable[P, Flow[T]]: ...
    @overload
    def __get__(self, owner: None, kind: object) -> operation[P, T]: ...
    def __get__(self, owner: Any, kind: object) -> Any:
        """Bind to an object; on a class, the operation itself."""
        if owner is None:
            return self

        @functools.wraps(self.flow)
        def bound(*args: Any, **kwargs: Any) -> Any:
            return owner._run(self.flow(owner, *args, **kwargs))  # noqa: SLF001 - of Runs

        return bound
