"""Spell out characters, such as ε, that the encoding of a terminal or file lacks."""

import codecs
import io
import sys

ERRORS = "wassay.spell"
_SPELLINGS = """
    −=- –=- —=- ─=- ‘=' ’=' “=" ”=" …=... ±=+/- ×=x ·=* ²=^2 ¼=1/4 ½=1/2 ¾=3/4 ≤=<= ≥=>= ≈=~ √=sqrt
    ∞=inf →=-> ‖=|| ⟨=< ⟩=> ₁=1 ₂=2 α=alpha β=beta γ=gamma δ=delta Δ=delta ε=epsilon η=eta μ=mu ν=nu
    π=pi σ=sigma Σ=sum
"""
_SPELLING = {pair[0]: pair[2:] for pair in _SPELLINGS.split()}


def spell_what_cannot_be_encoded() -> None:
    """From now on, spell out characters that the encoding of standard output or error lacks.

    Characters without a spelling are escaped as in a Python string.
    """
    codecs.register_error(ERRORS, _spell)
    for stream in (sys.stdout, sys.stderr):
        # Keep an error handler that PYTHONIOENCODING sets.
        if isinstance(stream, io.TextIOWrapper) and stream.errors in {"strict", "backslashreplace"}:
            stream.reconfigure(errors=ERRORS)


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_SPELLING.get(each, ascii(each)[1:-1]) for each in text), error.end
