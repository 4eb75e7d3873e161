"""Run jobs that outlive a request: a queue in our own database, workers, and solver processes.

The web process needs only `queue`: it enqueues a job in the transaction that writes the row that
the job is for. Each kind of job implements `handlers.JobHandler`; `worker` runs the jobs. Only
`queue`, `queue_poll`, `worker`, `takeover`, `finished_jobs` and `library_tables` use the job
library (DBOS). This module imports nothing, so that a solver process starts with only the standard
library.
"""
