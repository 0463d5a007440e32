"""Drives Firefox by its own protocol, Marionette, since Playwright drives only its patched build of Firefox."""

import shutil
import tempfile
from pathlib import Path
from urllib.parse import urljoin

from marionette_driver import By
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette
from waiting import TIMEOUT, until
from web_server import free_port

KEYS = {"ArrowRight": Keys.ARROW_RIGHT, "ArrowLeft": Keys.ARROW_LEFT, "End": Keys.END, "Escape": Keys.ESCAPE}
CONSOLE = """
return Services.console.getMessageArray()
    .filter(message => message instanceof Ci.nsIScriptError && /^(http|file):/.test(message.sourceName))
    .map(message => message.sourceName + ": " + message.errorMessage);
"""
REQUESTS = "return performance.getEntriesByType('resource').map(entry => entry.name)"


class Firefox:
    """A headless Firefox with a new profile. It collects the console messages of pages."""

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
            startup_timeout=TIMEOUT,
            # Firefox would end a script that is under way while the whole machine stands still, or while the page is
            # left and its process ends.
            prefs={"dom.max_script_run_time": 0, "dom.abort_script_on_child_shutdown": False},
        )
        self.marionette.start_session()
        return self

    def __exit__(self, *_):
        self.marionette.quit()
        self.marionette.cleanup()
        shutil.rmtree(self.log.parent)

    def open(self, address, path):
        # An empty page comes first, because an address that differs only in its fragment does not load the page again.
        self.marionette.navigate("about:blank")
        # The page before may report something until it is gone.
        with self.marionette.using_context("chrome"):
            self.marionette.execute_script("Services.console.reset()")
        self.marionette.navigate(urljoin(address, path))

    def evaluate(self, expression):
        return self.marionette.execute_script(f"return {expression}", sandbox=None)

    def waits_for(self, expression):
        """Waits until an expression is true in the page."""
        until(lambda: self.evaluate(expression), what=expression)

    def click(self, selector):
        self.marionette.find_element(By.CSS_SELECTOR, selector).click()

    def type(self, selector, text):
        self.marionette.find_element(By.CSS_SELECTOR, selector).send_keys(text)

    def press(self, key):
        key = KEYS.get(key, key)
        self.marionette.actions.sequence("key", "keyboard").key_down(key).key_up(key).perform()

    def perform(self, actions):
        """Performs the gestures of pointers.py."""
        self.marionette.actions.perform(actions)

    def console(self):
        """The console messages of pages: errors, warnings, violations of the content security policy."""
        with self.marionette.using_context("chrome"):
            return self.marionette.execute_script(CONSOLE)

    def external_requests(self, address):
        """The URLs that the page loaded from outside the site."""
        return [
            url for url in self.marionette.execute_script(REQUESTS) if not url.startswith((address, "data:", "blob:"))
        ]
