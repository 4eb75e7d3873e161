"""Results do not depend on the number of threads, and threads end with the work."""

import multiprocessing
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tests.transport.samples import gaussian
from wassay.transport import Cancelled, PointCost, solve
from wassay.transport.progress import ProgressCallback
from wassay.transport.thread_pool import ThreadPool


def test_numbers_do_not_depend_on_how_many_threads_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    mu, nu = gaussian(rng, 2100, 6), gaussian(rng, 2300, 6)
    solutions = []
    for number in ("1", "4"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        solutions.append(solve(PointCost(mu, nu), mu.weights, nu.weights, memory_budget_bytes=0))
    one, four = solutions
    assert one.certificate == four.certificate
    assert np.array_equal(one.f, four.f)
    assert np.array_equal(one.g, four.g)
    assert np.array_equal(one.mass, four.mass)


def test_numbers_do_not_depend_on_the_threads_of_matrix_products(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    rng = np.random.default_rng(2)
    mu, nu = gaussian(rng, 1100, 6), gaussian(rng, 1100, 6)
    solutions = []
    for number in (1, 2):
        with threadpool_limits(number, user_api="blas"):
            solutions.append(solve(PointCost(mu, nu, 1), mu.weights, nu.weights))
    one, two = solutions
    assert one.certificate == two.certificate
    assert np.array_equal(one.f, two.f)
    assert np.array_equal(one.g, two.g)


def test_concurrent_solves_restore_the_thread_limit_of_matrix_products() -> None:
    def threads_of_products() -> set[int]:
        return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    with threadpool_limits(2, user_api="blas"):
        first, second = (
            ThreadPool(ProgressCallback(lambda: None)),
            ThreadPool(ProgressCallback(lambda: None)),
        )
        with first:
            second.__enter__()
        assert threads_of_products() == {1}
        second.__exit__(None, None, None)
        assert threads_of_products() == {2}


def test_a_process_forked_during_another_threads_solves_can_solve() -> None:
    stop = threading.Event()

    def begin_and_end_one() -> None:
        with ThreadPool(ProgressCallback(lambda: None)):
            pass

    def begin_and_end_many() -> None:
        while not stop.is_set():
            begin_and_end_one()

    other = threading.Thread(target=begin_and_end_many)
    other.start()
    fork = multiprocessing.get_context("fork")
    try:
        for _ in range(10):
            child = fork.Process(target=begin_and_end_one, daemon=True)
            child.start()
            child.join(60)
            assert child.exitcode == 0
    finally:
        stop.set()
        other.join()


def test_results_are_in_order_and_computed_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        return item**2

    with ThreadPool(ProgressCallback(lambda: None)) as threads:
        results = threads.map(work, range(100))
        assert next(results) == 0
        assert len(begun) < 15
        assert list(results) == [item**2 for item in range(1, 100)]


def test_no_thread_runs_on_after_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    rng = np.random.default_rng(1)
    mu, nu = gaussian(rng, 6000, 40), gaussian(rng, 6000, 40)

    def cancel() -> None:
        raise Cancelled

    before = set(threading.enumerate())
    with pytest.raises(Cancelled):
        solve(PointCost(mu, nu), mu.weights, nu.weights, progress=cancel, memory_budget_bytes=0)
    assert set(threading.enumerate()) <= before  # threads of earlier tests may have ended
