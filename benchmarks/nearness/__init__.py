"""Measure how often the verdicts about chance are right."""
