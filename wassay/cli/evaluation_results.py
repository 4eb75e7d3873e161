"""Read the result of an evaluation: with noise if the request has an epsilon, else exact."""

from __future__ import annotations

import wassay


def result_of(evaluation: wassay.Evaluation) -> wassay.Result | wassay.NoisedResult:
    """Return the result of an evaluation; a `NoisedResult` if the request has an epsilon."""
    return evaluation.result() if evaluation.epsilon is None else evaluation.noised_result()
