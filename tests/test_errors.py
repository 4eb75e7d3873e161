"""Every error of the SDK is a `WassayError`."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import wassay
from wassay import AsyncClient, WassayError
from wassay.transport.errors import Cancelled
from wassay.transport.progress import Abandoned

NO_ERRORS = {Cancelled, Abandoned}
"""Exceptions that stop the work on request, and end its threads: they are no errors."""


def exceptions() -> Iterator[type[Exception]]:
    for module in pkgutil.walk_packages(wassay.__path__, "wassay."):
        if module.name.startswith("wassay.server"):
            continue
        for each in vars(importlib.import_module(module.name)).values():
            if not isinstance(each, type) or not issubclass(each, Exception):
                continue
            if each.__module__.startswith("wassay.") and not issubclass(each, Warning):
                yield each


def test_every_exception_of_the_sdk_derives_from_its_base() -> None:
    found = set(exceptions())
    assert len(found) > 30
    assert {each for each in found if not issubclass(each, WassayError)} == NO_ERRORS


@pytest.mark.parametrize(
    ("name", "of_python"),
    [
        ("TransportError", ValueError),
        ("RecipeError", ValueError),
        ("SealingError", ValueError),
        ("ReceiptError", ValueError),
        ("BrokenLedger", ValueError),
        ("client.InvalidArgumentError", ValueError),
        ("client.WaitTimeoutError", TimeoutError),
        ("client.PackageMissing", ModuleNotFoundError),
        ("client.NotAwaitedError", AttributeError),
        ("client.NotAwaitedError", TypeError),
        ("SolverMissing", ImportError),
    ],
)
def test_errors_are_also_those_of_python_that_callers_know(
    name: str, of_python: type[Exception]
) -> None:
    module, _, last = f"wassay.{name}".rpartition(".")
    assert issubclass(getattr(importlib.import_module(module), last), of_python)


def test_a_coroutine_taken_for_its_value_is_an_error_of_the_sdk() -> None:
    pending = AsyncClient("http://127.0.0.1:1", "wsy_abcdefgh_none").requests.get("req_1")
    with pytest.raises(WassayError, match=r"write \(await ….get\(…\)\).title"):
        pending.title  # type: ignore[attr-defined]  # noqa: B018
    pending.close()
