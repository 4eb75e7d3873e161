"""The changed modules that `make mutate` derives from a module."""

import ast
from pathlib import Path

import pytest

from benchmarks.mutation.__main__ import TESTS
from benchmarks.mutation.mutants import mutants

SOURCE = '''"""A module."""
@dataclass(frozen=True)
class Pair:
    """Two numbers, of at most 1."""
    first: Literal[1] = 0

def larger(a: int, b: int = 2) -> bool:
    """Return True if a > b."""
    if not 0 < a <= b:
        raise ValueError(f"{a + 1}" + "?")
    return max(a, -b) if a in b and a - b else 0.5
'''


def test_every_expression_that_decides_is_changed_once_and_nothing_that_only_tells() -> None:
    assert {(each.line, each.before, each.after) for each in mutants(SOURCE)} == {
        (5, "0", "(1)"),
        (7, "2", "(3)"),
        (9, "not 0 < a <= b", "(0 < a <= b)"),
        (9, "0 < a <= b", "(0 <= a <= b)"),
        (9, "0", "(1)"),
        (
            11,
            "max(a, -b) if a in b and a - b else 0.5",
            "(0.5 if a in b and a - b else max(a, -b))",
        ),
        (11, "max(a, -b)", "(min(a, -b))"),
        (11, "-b", "(b)"),
        (11, "a in b and a - b", "(a in b or a - b)"),
        (11, "a in b", "(a not in b)"),
        (11, "a - b", "(a + b)"),
        (11, "0.5", "(0.75)"),
    }


@pytest.mark.parametrize("module", TESTS)
def test_changed_modules_differ_from_the_module_and_are_python(module: str) -> None:
    source = Path(module).read_text(encoding="utf-8")
    changed = [each.source for each in mutants(source)]
    assert changed
    original = ast.dump(ast.parse(source))
    assert all(ast.dump(ast.parse(each)) != original for each in changed)
    assert all(Path(tests).exists() for tests in TESTS[module])
