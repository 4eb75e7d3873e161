"""Run evaluations as jobs: build the task, cut it into chunks, publish the result."""
