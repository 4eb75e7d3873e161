"""The job layer: a small port, its DBOS adapter, the worker, and the solving child process."""
