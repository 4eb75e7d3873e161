"""Flows: HTTP operations that are written once for the blocking and the asynchronous client.

A flow is a generator that does no I/O itself: it yields calls, pauses and steps, which a runner
carries out.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, overload

from typing_extensions import TypeVar

from wassay.client.errors import NotAwaitedError


@dataclass(frozen=True)
class Call:
    """An HTTP request. The runner sends it, and passes the `httpx.Response` to the flow."""

    method: str
    url: str
    query: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)
    json: Mapping[str, Any] | None = field(default=None, repr=False)
    content: Iterable[bytes] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Pause:
    """A wait of `seconds` before the flow resumes."""

    seconds: float


@dataclass(frozen=True)
class Step:
    """A step that an operation now begins, to show as progress.

    Attributes
    ----------
    subject : str
        What the step belongs to, such as "answer" or "evaluation evl_…".
    doing : str
        What is done in the step, such as "pushing points".
    done, total : int
        The number of units that are done, and of all units; `total` is None if unknown.
    unit : str
        What `done` and `total` count, in the plural, such as "steps".
    why : str or None
        Why the step takes long, if known.
    shown : bool or None
        True to show a bar in terminals and notebooks, and lines elsewhere; None to show only the
        bar; False to show nothing.
    """

    subject: str
    doing: str
    done: int = 0
    total: int | None = None
    unit: str = "steps"
    why: str | None = None
    shown: bool | None = None


class Steps:
    """Counts the steps of one operation. A step of weight w counts as w steps.

    Parameters
    ----------
    subject, shown
        See `Step`.
    total : int
        The number of all steps, counted by weight.
    """

    def __init__(self, subject: str, total: int, shown: bool | None = None) -> None:
        self._subject = subject
        self._total = total
        self._shown = shown
        self._done = 0
        self._weight = 0

    def begin(self, doing: str, weight: int = 1) -> Step:
        """Count the previous step as done, and return the next step for the flow to yield.

        `doing` says what is done in the next step, which counts as `weight` steps.
        """
        self._done += self._weight
        self._weight = weight
        return Step(self._subject, doing, self._done, self._total, shown=self._shown)

    def end(self) -> Step:
        """Count the last step as done, and return a final step for the flow to yield."""
        return self.begin("done", weight=0)


class Freeze:
    """Stops the progress bar until the next step, for example while a callback asks the user."""


class Blocking:
    """Type argument of `Runs`: calling an operation runs it and returns its value."""


class Awaiting:
    """Type argument of `Runs`: calling an operation returns a coroutine to await."""


class Flowing:
    """Type argument of `Runs`: calling an operation returns its flow, for ``yield from``."""


P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", default=Blocking)
Effect = Call | Pause | Step | Freeze
Flow = Generator[Effect, Any, T]


class Runner(Protocol):
    """Decides how an operation's flow is run: at once, as a coroutine, or by another flow."""

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Return the flow's value, a coroutine that returns the value, or the flow itself."""


def return_flow(flow: Flow[T]) -> Flow[T]:
    """Return the flow without running it; this is the runner of `Flowing` objects."""
    return flow


class Runs(Generic[R]):
    """Base of objects with operations; R is `Blocking`, `Awaiting` or `Flowing`.

    Parameters
    ----------
    run : Runner
    """

    def __init__(self, run: Runner) -> None:
        self._run = run


class Pending(Coroutine[Any, Any, T]):
    """The coroutine of an `AsyncClient`'s operation. Using it unawaited raises `NotAwaitedError`.

    Parameters
    ----------
    coroutine : coroutine
    name : str
        The name of the operation, such as "Request.evaluate".
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T], name: str) -> None:
        self._coroutine = coroutine
        self._name = name
        self._is_awaited = False

    def send(self, value: Any, /) -> Any:
        """Resume the coroutine."""
        self._is_awaited = True
        return self._coroutine.send(value)

    def throw(self, *error: Any) -> Any:
        """Raise an exception inside the coroutine."""
        self._is_awaited = True
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """End the coroutine."""
        self._is_awaited = True
        self._coroutine.close()

    def __await__(self) -> Generator[Any, None, T]:
        self._is_awaited = True
        return self._coroutine.__await__()

    def __repr__(self) -> str:
        return f"<{self._name}(), not awaited: write `await ….{self._method}(…)`>"

    def __iter__(self) -> Any:
        raise self._not_awaited("cannot be iterated over", "")

    def __getitem__(self, key: object) -> Any:
        raise self._not_awaited("has no items", f"[{key!r}]")

    def __getattr__(self, name: str) -> Any:
        error = self._not_awaited(f"has no {name}", f".{name}")
        error.name, error.obj = name, self
        raise error

    def _not_awaited(self, lack: str, use: str) -> NotAwaitedError:
        return NotAwaitedError(
            f"expected the value of {self._name}(), received its coroutine, which {lack}: "
            f"write (await ….{self._method}(…)){use}"
        )

    def __del__(self) -> None:
        if not self._is_awaited:
            self._coroutine.close()
            warnings.warn(
                f"{self._name}() was not awaited, and so did nothing: write await "
                f"….{self._method}(…)",
                RuntimeWarning,
                stacklevel=2,
            )

    @property
    def _method(self) -> str:
        return self._name.rpartition(".")[2]


class operation(Generic[P, T]):  # noqa: N801 - a decorator
    """Decorate a method that returns a flow: calling the method then runs the flow.

    ``Class.method.flow`` is the undecorated method, for use in other flows by ``yield from``.
    """

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        functools.update_wrapper(self, flow)
        self.flow = flow
        self._name = flow.__qualname__
        self.__signature__ = _names_and_defaults(flow)

    def __call__(self, owner: Runs[Any], /, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Call the method, and run its flow by the runner of `owner`."""
        result = owner._run(self.flow(owner, *args, **kwargs))  # noqa: SLF001 - of Runs
        return Pending(result, self._name) if inspect.iscoroutine(result) else result

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
        """Return the operation bound to `owner`, or unbound if `owner` is None."""
        return self if owner is None else MethodType(self, owner)


def _names_and_defaults(flow: Callable[..., Any]) -> inspect.Signature:
    """Return a method's signature for `help`; without types, which the docstring names."""
    parameters = inspect.signature(flow).parameters.values()
    return inspect.Signature(
        [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    )
