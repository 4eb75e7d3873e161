"""The tests try enough mistakes."""

from tests.app.mistakes import test_http, test_sdk, test_shell


def test_every_surface_has_its_mistakes() -> None:
    numbers = [len(test_http.MISTAKES), len(test_sdk.MISTAKES), len(test_shell.MISTAKES)]
    assert min(numbers) >= 60
    assert sum(numbers) >= 250
