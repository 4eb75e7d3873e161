"""Derive small changes of a module's source, each of a single expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """A module with one change.

    Attributes
    ----------
    line : int
        Where the change is, from 1.
    before, after : str
        The changed expression, before and after.
    source : str
        The source of the whole module with the change.
    """

    line: int
    before: str
    after: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return every single change of a module, except in annotations, decorators and messages."""
    return [
        _replaced(source, node, changed)
        for node in _computed(ast.parse(source))
        if (changed := _changed(node)) is not None
    ]


def _computed(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that decide what a module computes."""
    children: list[ast.AST]
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return
        case ast.FunctionDef() | ast.ClassDef():
            children = [*node.body]
            if isinstance(node, ast.FunctionDef):
                children += [*node.args.defaults]
                children += [default for default in node.args.kw_defaults if default is not None]
        case ast.AnnAssign():
            children = [] if node.value is None else [node.value]
        case ast.Call(func=ast.Name(id="zip")):
            children = [*node.args]  # not strict=True, as no test can notice its change
        case _:
            children = [*ast.iter_child_nodes(node)]
            if isinstance(node, ast.expr):
                yield node
    for child in children:
        yield from _computed(child)


def _changed(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Compare(ops=[operator, *others]) if type(operator) in COMPARISONS:
            changed = COMPARISONS[type(operator)]()
            return ast.Compare(node.left, [changed, *others], node.comparators)
        case ast.BinOp() if type(node.op) in OPERATORS:
            return ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.BoolOp():
            return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return node.operand
        case ast.IfExp():
            return ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            return ast.Call(ast.Name(NAMES[name]), node.args, node.keywords)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            return ast.Constant(1.5 * value or 1.0)
    return None


def _replaced(source: str, node: ast.expr, changed: ast.expr) -> Mutant:
    lines = source.encode().splitlines(keepends=True)
    assert node.end_lineno is not None
    head = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    tail = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
    after = f"({ast.unparse(changed)})"
    return Mutant(node.lineno, ast.unparse(node), after, head.decode() + after + tail.decode())
