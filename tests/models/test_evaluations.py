"""The cost of an evaluation in words: wall-clock seconds and processor seconds."""

from wassay import models


def test_the_answer_says_what_its_seconds_are() -> None:
    known = {"problems": 12, "processor_seconds": 0.36, "memory_bytes": 2**20}
    limits = {"memory_limit_bytes": 2**30, "process_seconds": 0.1, "process_seconds_limit": 3600.0}
    terms = {**known, **limits, "seconds": 6.0, "too_large": None}
    rates = str(models.EvaluationCost(**terms))
    assert "about 6 s by the clock" in rates
    assert "0.36 processor seconds by constant rates" in rates
    assert "because there are few recent evaluations of this size" in rates
    measured = str(models.EvaluationCost(**terms, seconds_from="recent-evaluations"))
    assert "as recent evaluations of this size took" in measured
