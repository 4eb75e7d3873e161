"""Write an HTTP operation once, for the blocking and the asynchronous client.

A flow is a generator that yields calls and pauses, and receives the response of each call. It does
no I/O itself ("sans I/O"): a runner sends the calls, in the caller's thread or on an event loop.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, overload

from typing_extensions import TypeVar


@dataclass(frozen=True)
class Call:
    """An HTTP request; the runner sends its `httpx.Response` back into the flow."""

    method: str
    url: str
    query: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)
    json: Mapping[str, Any] | None = field(default=None, repr=False)
    content: Iterable[bytes] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Pause:
    """A wait of some seconds."""

    seconds: float


class Blocking:
    """Marks objects whose operations block."""


class Awaiting:
    """Marks objects whose operations are coroutines."""


class Flowing:
    """Marks objects whose operations are flows, for use in other flows by ``yield from``."""


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", default=Blocking)
Flow = Generator[Call | Pause, Any, T]


class Runner(Protocol):
    """Runs a flow: blocking, as a coroutine, or not at all."""

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Return the flow's value, a coroutine of it, or the flow itself."""


def unrun(flow: Flow[T]) -> Flow[T]:
    """Return the flow itself: the runner of `Flowing` objects."""
    return flow


class Runs(Generic[R]):
    """Base of objects with operations; R is `Blocking`, `Awaiting` or `Flowing`.

    Parameters
    ----------
    run : Runner
    """

    def __init__(self, run: Runner) -> None:
        self._run = run


class operation(Generic[P, T]):  # noqa: N801 - a decorator
    """Decorate a method written as a flow, so that calls go through its object's runner.

    ``Class.method.flow`` is the undecorated flow, for other flows to ``yield from``.
    """

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        functools.update_wrapper(self, flow)
        self.flow = flow
        self.__signature__ = _names_and_defaults(flow)

    def __call__(self, owner: Runs[Any], /, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Run the flow through an object's runner."""
        return owner._run(self.flow(owner, *args, **kwargs))  # noqa: SLF001 - of Runs

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
        """Bind to an object; return the operation itself on a class."""
        return self if owner is None else MethodType(self, owner)


def _names_and_defaults(flow: Callable[..., Any]) -> inspect.Signature:
    """Return the signature that `help` shows; the docstring below it has the types."""
    parameters = inspect.signature(flow).parameters.values()
    return inspect.Signature(
        [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    )
