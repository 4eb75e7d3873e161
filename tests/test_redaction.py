"""Messages and logs contain neither keys nor passwords."""

import json
import subprocess
import sys

import pytest
from sqlalchemy import make_url

from app.accounts.api_keys import draw_key
from app.commands.serve import public_address
from wassay.redaction import redacted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("to postgresql://me:hush@db/x: no", "to postgresql://…@db/x: no"),
        ("http://me:hu@sh@h:1 and https://hush@h", "http://…@h:1 and https://…@h"),
        ("http://me:hu/sh@h/path", "http://…@h/path"),
        ("socks5://me:hush@[::1]:1080", "socks5://…@[::1]:1080"),
        ("https://h/a and ada@example.org", "https://h/a and ada@example.org"),
        ("Bearer wsy_… is expected", "Bearer wsy_… is expected"),
    ],
)
def test_the_user_and_password_of_an_address_are_left_out(text: str, said: str) -> None:
    assert redacted(text) == said


def test_a_key_is_left_out_wherever_it_stands() -> None:
    key = draw_key().key
    assert redacted(f"no request {key}, nor /v1/{key}/x") == "no request wsy_…, nor /v1/wsy_…/x"


def test_no_log_holds_a_key_or_a_password() -> None:
    key = draw_key().key
    program = (
        "import logging, structlog, sys\n"
        "from app.http.logs import configure_logs\n"
        "configure_logs('INFO')\n"
        "structlog.stdlib.get_logger('a').warning('away', url='http://me:hush@store:1/b')\n"
        "logging.getLogger('b').warning('no %s', 'postgresql://me:hush@db/x')\n"
        "try: raise ValueError(f'http://me:hush@h {sys.argv[1]}')\n"
        "except ValueError: structlog.stdlib.get_logger('c').exception(sys.argv[1])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, key], capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert lines[0]["url"] == "http://…@store:1/b"
    assert lines[1]["event"] == "no postgresql://…@db/x"
    assert lines[2]["exception"][0]["exc_value"] == "http://…@h wsy_…"
    assert "hush" not in ran.stderr
    assert key not in ran.stderr


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql+psycopg://me:hush@db/x", "postgresql+psycopg://me:***@db/x"),
        ("postgresql+psycopg://me@db/x?password=hush", "postgresql+psycopg://me@db/x"),
        ("postgresql+psycopg://me@db/x?sslpassword=hush", "postgresql+psycopg://me@db/x"),
    ],
)
def test_a_database_is_shown_without_its_password(url: str, said: str) -> None:
    assert public_address(make_url(url)) == said
