"""Read the result of an evaluation, whether or not the request has an epsilon."""

from __future__ import annotations

import wassay


def result_of(evaluation: wassay.Evaluation) -> wassay.Result | wassay.NoisedResult:
    """Return the result of an evaluation once it has succeeded."""
    return evaluation.result() if evaluation.epsilon is None else evaluation.noised_result()
