"""Run jobs that outlive a request: a queue in our own database, workers, and solver processes."""

# Import nothing here, so that a solver process starts with only the standard library.
