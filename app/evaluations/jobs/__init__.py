"""Run evaluations as jobs: build tasks, cut evaluations into chunks, publish results."""
