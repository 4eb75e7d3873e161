"""Pages of the HTTP API, from openapi/openapi.json: operations by resource, objects, problems."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from website.markdown import code, table

Schema = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
LIMITS = {
    "maxLength": "at most {} characters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
}
ERRORS_EVERYWHERE = ("400", "401", "403", "404", "413", "429", "500", "503")
"""Statuses that any operation may answer with; the page of problems lists them."""

PROBLEM = re.compile(r"^(`[a-z-]+`): (.*)$", re.MULTILINE)
"""A line of an error's description in the OpenAPI document: a problem's slug, and its sentence."""


def http_pages(openapi: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page."""
    document = json.loads(openapi.read_text(encoding="utf-8"))
    by_tag: dict[str, list[str]] = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                operation = item[method]
                by_tag.setdefault(operation["tags"][0], []).append(
                    _operation(method, path, operation)
                )
    for tag, operations in by_tag.items():
        yield f"{tag}.md", f"# {tag.capitalize()}\n\n{''.join(operations)}"
    schemas = sorted(document["components"]["schemas"].items())
    objects = "".join(_object(name, schema) for name, schema in schemas)
    yield "objects.md", f"# Objects\n\nWhat requests and responses carry, as JSON.\n\n{objects}"


def _operation(method: str, path: str, operation: Schema) -> str:
    parameters = [
        (code(each["name"]), each["in"], _type(each["schema"]), each.get("description", ""))
        for each in operation.get("parameters", ())
        if each["in"] != "path" or each.get("description")
    ]
    responses = operation["responses"]
    good = [(status, each) for status, each in responses.items() if status < "400"]
    refused = [
        (status, *problem)
        for status, each in responses.items()
        if status >= "400" and status not in ERRORS_EVERYWHERE
        for problem in PROBLEM.findall(each["description"])
    ]
    body = _contents(operation.get("requestBody", {}))
    return "".join(
        (
            f"## {operation['summary'].capitalize()} {{ #{operation['operationId']} }}\n\n",
            f"```http\n{method.upper()} {path}\n```\n\n",
            f"{operation.get('description', operation['summary'])}\n\n",
            table(("parameter", "in", "type", "what it is"), parameters),
            f"**Body:** {body}\n\n" if body else "",
            *(f"**{status}:** {_contents(each) or 'no body'}\n\n" for status, each in good),
            table(("refused", "type", "what it means"), refused),
        )
    )


def _contents(message: Schema) -> str:
    """Return the types that a body may have, with their media types unless that is JSON."""
    return ", or ".join(
        _type(each.get("schema", {})) if kind == "application/json" else code(kind)
        for kind, each in message.get("content", {}).items()
    )


def _object(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        (
            code(field) + ("" if field in required else " *optional*"),
            _type(value),
            " ".join(filter(None, (value.get("description", ""), _default(value)))),
        )
        for field, value in schema.get("properties", {}).items()
    ]
    told = schema.get("description", "")
    kinds = "" if rows else f"{_type(schema)}\n\n"
    head = ("field", "type", "what it is")
    return f"## {name} {{ #{name} }}\n\n{told}\n\n{kinds}{table(head, rows)}"


def _default(schema: Schema) -> str:
    default = schema.get("default")
    return "" if default in (None, "", [], {}) else f"Default: {code(json.dumps(default))}."


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](objects.md#{name})"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each) for each in schema[several])
    if "enum" in schema:
        return ", ".join(code(json.dumps(each)) for each in schema["enum"])
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}{_limits(schema)}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {_type(schema['additionalProperties'])}"
    kind = str(schema.get("format") or schema.get("type") or schema.get("title") or "anything")
    return kind + _limits(schema)


def _limits(schema: Schema) -> str:
    told = [text.format(f"{schema[name]:,}") for name, text in LIMITS.items() if name in schema]
    return f" ({', '.join(told)})" if told else ""
