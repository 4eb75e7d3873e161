"""A job fails with the reason, after as many attempts as the setting allows."""

import pytest

from tests.jobs.conftest import ToyService, problem_of, succeeds


@pytest.mark.parametrize(
    ("function", "slug", "words"),
    [
        ("refuse", "refused", "expected a toy, received a fact"),
        ("stumble", "computation-failed", "ZeroDivisionError"),
        ("die", "computation-died", "SIGKILL"),
    ],
)
def test_each_failure_has_its_own_problem(
    working: ToyService, function: str, slug: str, words: str
) -> None:
    service = working
    service.ask(function, function)

    problem = problem_of(service, function)

    assert problem["type"] == f"/problems/{slug}"
    assert words in problem["detail"]
    succeeds(service, f"after {function}")


def test_a_job_is_attempted_as_often_as_the_setting_allows(service: ToyService) -> None:
    service.start_worker("one", WASSAY_MAX_ATTEMPTS="2")
    service.ask("die", "die")

    problem = problem_of(service, "die")

    assert (problem["type"], problem["attempts"]) == ("/problems/computation-died", 2)
    assert service.toy("die").attempts == 2
