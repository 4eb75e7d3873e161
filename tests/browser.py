"""A real Chromium without internet access."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-quic",
]

LIMIT = 300_000
"""How many milliseconds a page may take for one step: long, because the machine may be busy."""

expect.set_options(timeout=LIMIT)


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("WASSAY_TEST_CHROMIUM") or shutil.which("chromium")
    assert path, "no Chromium: install Debian's `chromium`, or set WASSAY_TEST_CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
