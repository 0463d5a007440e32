"""Firefox, by Marionette, its own protocol: Playwright drives only a Firefox that it brings along."""

import shutil
import tempfile
import time
from pathlib import Path
from urllib.parse import urljoin

from marionette_driver import By
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette
from web_server import free_port

KEYS = {"ArrowRight": Keys.ARROW_RIGHT, "ArrowLeft": Keys.ARROW_LEFT, "End": Keys.END, "Escape": Keys.ESCAPE}
CONSOLE = """
return Services.console.getMessageArray()
    .filter(message => message instanceof Ci.nsIScriptError && /^(http|file):/.test(message.sourceName))
    .map(message => message.sourceName + ": " + message.errorMessage);
"""
REQUESTS = "return performance.getEntriesByType('resource').map(entry => entry.name)"


class Firefox:
    """A headless Firefox with a fresh profile, which notes what its console says of the pages."""

    @staticmethod
    def path():
        path = shutil.which("firefox-esr") or shutil.which("firefox")
        assert path, "Firefox is not installed; make test installs it"
        return path

    def __enter__(self):
        self.log = Path(tempfile.mkdtemp()) / "firefox.log"
        self.marionette = Marionette(
            bin=self.path(),
            port=free_port(),
            headless=True,
            app_args=["-remote-allow-system-access"],
            gecko_log=str(self.log),
            startup_timeout=120,
        )
        self.marionette.start_session()
        return self

    def __exit__(self, *_):
        self.marionette.quit()
        self.marionette.cleanup()
        shutil.rmtree(self.log.parent)

    def open(self, address, path):
        with self.marionette.using_context("chrome"):
            self.marionette.execute_script("Services.console.reset()")
        # First an empty page: a new fragment alone would load nothing.
        self.marionette.navigate("about:blank")
        self.marionette.navigate(urljoin(address, path))

    def evaluate(self, expression):
        return self.marionette.execute_script(f"return {expression}", sandbox=None)

    def waits_for(self, expression, seconds=20):
        """Waits until an expression is true in the page."""
        deadline = time.monotonic() + seconds
        while not self.evaluate(expression):
            assert time.monotonic() < deadline, f"never: {expression}"

    def click(self, selector):
        self.marionette.find_element(By.CSS_SELECTOR, selector).click()

    def type(self, selector, text):
        self.marionette.find_element(By.CSS_SELECTOR, selector).send_keys(text)

    def press(self, key):
        key = KEYS.get(key, key)
        self.marionette.actions.sequence("key", "keyboard").key_down(key).key_up(key).perform()

    def console(self):
        """The messages about pages: errors, warnings, violations of their security policy."""
        with self.marionette.using_context("chrome"):
            return self.marionette.execute_script(CONSOLE)

    def strangers(self, address):
        return [
            url for url in self.marionette.execute_script(REQUESTS) if not url.startswith((address, "data:", "blob:"))
        ]
