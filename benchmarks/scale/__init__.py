"""Measure how much faster four machines work off an evaluation than one."""
