"""Limits of a computation: a job beyond them fails with the reason, and the worker goes on."""

import json
import re
from typing import Any

import pytest

from tests.jobs.conftest import ToyService

GIB = 2**30


def problem_of(service: ToyService, job_id: str) -> dict[str, Any]:
    failed = service.wait(job_id, lambda toy: toy.state == "failed")
    body: dict[str, Any] = json.loads(failed.problem or "")
    return body


def succeeds(service: ToyService, job_id: str) -> None:
    service.ask(job_id, "add", a=1, b=1)
    service.wait(job_id, lambda toy: toy.state == "succeeded")


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


def test_a_computation_beyond_the_memory_limit_reports_what_it_needs(
    service: ToyService,
) -> None:
    worker = service.start_worker("one", WASSAY_SOLVE_MEMORY_BYTES=str(GIB))
    service.ask("array", "fill", entries=2**28)
    service.ask("bytes", "hog", bytes=2 * GIB)

    of_array, of_bytes = problem_of(service, "array"), problem_of(service, "bytes")

    assert of_array["type"] == of_bytes["type"] == "/problems/out-of-memory"
    assert of_array["limit_bytes"] == of_bytes["limit_bytes"] == GIB
    assert 2 * GIB < of_array["needed_bytes"] < 3 * GIB  # 2**28 float64, and the libraries
    assert "may use only 1 GiB" in of_array["detail"]
    assert of_bytes["needed_bytes"] is None
    assert "more than 1 GiB" in of_bytes["detail"]
    succeeds(service, "next")
    assert worker.is_running()


def test_a_computation_beyond_the_time_limit_reports_what_it_needs(
    service: ToyService,
) -> None:
    worker = service.start_worker("one", WASSAY_SOLVE_SECONDS="2")
    succeeds(service, "first")  # so that a process has started
    service.ask("slow", "count", steps=1000, seconds=0.05)

    problem = problem_of(service, "slow")

    assert problem["type"] == "/problems/too-long"
    assert problem["limit_seconds"] == 2
    said = re.search(
        r"not done after 2 s, .*; (\d+) of 1000 problems were solved", problem["detail"]
    )
    assert said
    done = int(said[1])  # 40 on an idle machine
    assert problem["needed_seconds"] == 2 * 1000 / done
    assert 0 < done < 1000
    succeeds(service, "next")
    assert worker.is_running()
