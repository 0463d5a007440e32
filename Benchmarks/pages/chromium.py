"""Chromium's headless shell, driven by Playwright. Neither is installed: both are fetched into the cache."""

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
    """Starts the script again in a Python that has Playwright, where this one has not."""
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
    """Gives the page's thread one part in so many of the processor. Returns the session that sends input."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return session
