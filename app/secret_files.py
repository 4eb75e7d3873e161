"""Read secrets from the files that `…_FILE` variables name, such as mounted files."""

from pathlib import Path


def read_secret(file: Path, variable: str) -> str:
    """Return the only line of a file.

    Raises
    ------
    ValueError
        If the file cannot be read or does not contain exactly one line. The message names
        the variable and the file, and never quotes the content.
    """
    try:
        secret = file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ValueError(f"{variable}: {file} cannot be read: {reason}") from None
    if not secret or len(secret.splitlines()) != 1:
        raise ValueError(f"{variable}: expected one line in {file}")
    return secret
