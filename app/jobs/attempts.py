"""The rule of how often a job may be attempted."""


def may_attempt_again(attempts: int, max_attempts: int) -> bool:
    """Return whether a job that has had this many attempts may have another."""
    return attempts < max_attempts
