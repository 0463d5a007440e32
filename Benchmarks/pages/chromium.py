"""Chromium's headless shell and Playwright, which are downloaded into the cache and not installed."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from measuring.packages import program, python_with

PLAYWRIGHT = "playwright==1.65.2"

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
LANDSCAPE = PHONE | {"viewport": {"width": 844, "height": 390}}


def with_playwright() -> None:
    """Runs the script again in a Python with Playwright if this one does not have it."""
    if importlib.util.find_spec("playwright") is None:
        python = python_with(PLAYWRIGHT, "playwright")
        os.execv(python, [python, *sys.argv])


@contextmanager
def chromium() -> Iterator:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("GALLERYGEN_CHROMIUM") or program("chromium-headless-shell", "chromium-headless-shell")
    options = ["--hide-scrollbars", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


def throttle(page, rate: int):
    """Slows the page's thread down by a factor. Returns the session for sending input."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return session
