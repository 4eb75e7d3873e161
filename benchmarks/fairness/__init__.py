"""Measure how much an attacker with one API key delays the users with other keys."""
