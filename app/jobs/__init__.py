"""Work that outlives a request: a queue on our own database, and workers that solve in children.

`queue` is all that the web process needs: a job is enqueued in the transaction that inserts what
it is about. `handlers` is what a kind of job implements; `worker` runs the jobs. The library
behind them (DBOS) is known only to `queue`, `worker` and `schema`. Nothing is imported here, so
that a solving child starts with the standard library alone.
"""
