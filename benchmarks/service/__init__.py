"""Measure the web service beside bare applications on the same server, disk and database."""
