"""Drives WebKitGTK's MiniBrowser by the W3C WebDriver protocol, on a virtual display."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urljoin

from waiting import TIMEOUT, until
from web_server import free_port

#: Key → its code in the protocol, https://www.w3.org/TR/webdriver2/#keyboard-actions.
KEYS = {"End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Escape": "\ue00c"}

#: Whether the middle of an element is on the screen, in the window, and not covered.
HAS_PLACE = """element => {
  const box = element?.getBoundingClientRect();
  if (!box?.width || !box.height) return false;
  const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return Boolean(found) && (element.contains(found) || found.contains(element));
}"""


class WebKit:
    """A browser with an empty profile."""

    def __enter__(self):
        with ExitStack() as stack:
            browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
            assert browser, "WebKitGTK is not installed; make test installs it"
            # Xvfb chooses a free display and writes its number to the pipe.
            read, write = os.pipe()
            screen = subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
                pass_fds=[write], stderr=subprocess.DEVNULL)
            stack.callback(screen.wait, 20)
            stack.callback(screen.terminate)
            os.close(write)
            with os.fdopen(read) as pipe:
                display = pipe.readline().strip()

            port = free_port()
            self.base = f"http://127.0.0.1:{port}"
            environment = {
                "DISPLAY": f":{display}", "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}
            driver = subprocess.Popen(
                ["WebKitWebDriver", f"--port={port}"], stderr=subprocess.DEVNULL, env=os.environ | environment)
            stack.callback(driver.wait, 20)
            stack.callback(driver.terminate)
            until(self._answers, driver)
            options = {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}
            session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": options}})
            self.base += "/session/" + session["sessionId"]
            stack.callback(self._send, "DELETE", "")
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _answers(self):
        try:
            return self._send("GET", "/status")["ready"]
        except OSError:
            return False

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, address, path):
        # An empty page comes first, because an address that differs only in its fragment does not load the page again.
        for url in ("about:blank", urljoin(address, path)):
            self._send("POST", "/url", {"url": url})

    def evaluate(self, expression):
        return self._send("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def waits_for(self, expression):
        """Waits until an expression is true in the page."""
        until(lambda: self.evaluate(expression), what=expression)

    def click(self, selector):
        """Clicks the middle of an element of the first screen, once it is there.

        The protocol's own click of an element fails now and then on a busy machine, although the element has its place.
        """
        element = f"document.querySelector({json.dumps(selector)})"
        self.waits_for(f"({HAS_PLACE})({element})")
        box = self.evaluate(f"{element}.getBoundingClientRect().toJSON()")
        place = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
        self.perform([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": "viewport", **place},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def press(self, key):
        key = KEYS.get(key, key)
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.perform([{"type": "key", "id": "keyboard", "actions": presses}])

    def perform(self, actions):
        """Performs key presses, or the gestures of pointers.py."""
        self._send("POST", "/actions", {"actions": actions})
