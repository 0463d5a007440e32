"""Page object of a page of `gallerygen serve`: what it has told the server, and its panel."""

import re

from playwright.sync_api import expect
from visit import Visit

#: Records the messages that the page sends, each with its time in milliseconds.
RECORD = """
window.sent = [];
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
    sent.push({ time: performance.now(), ...JSON.parse(text) });
    return send.call(this, text);
};
"""
LATEST = "sent.findLast(message => message.type === 'view')"

#: Whether the last report has the photos on the screen, those nearest to its middle first.
HAS_REPORTED = """
() => {
    const distances = new Map();
    for (const card of document.querySelectorAll('.card')) {
        const { x, y, width, height } = card.getBoundingClientRect();
        const distance = Math.hypot(x + width / 2 - innerWidth / 2, y + height / 2 - innerHeight / 2);
        const isShown = card.checkVisibility() && y + height > 0 && y < innerHeight;
        if (isShown) distances.set(card.dataset.page.slice('photo/'.length, -'.html'.length), distance);
    }
    const { photos } = sent.findLast(({ type }) => type === 'view') || {};
    return photos && photos.length === distances.size && photos.every((slug, place) =>
        distances.has(slug) && (!place || distances.get(slug) > distances.get(photos[place - 1]) - 1));
}
"""


def numbered(count=40, **details):
    """A list of photos that all have the same picture."""
    return {f"Photo {number}": {"url": "nuthatch.jpg", **details} for number in range(1, count + 1)}


class PreviewVisit(Visit):
    """A visit of a page that a preview server answers, on a screen."""

    def __init__(self, browser, address, path="index.html", **context):
        super().__init__(browser, address, **context)
        self.context.add_init_script(RECORD)
        self.open(path)
        self.connected()

    @property
    def panel(self):
        return self.page.get_by_role("complementary", name="Preview")

    @property
    def fold(self):
        return self.panel.locator(".fold")

    @property
    def field(self):
        return self.panel.get_by_role("textbox", name="Filter")

    @property
    def mistake(self):
        return self.panel.locator(".mistake")

    @property
    def refusal(self):
        return self.panel.locator(".refusal")

    @property
    def status(self):
        return self.panel.get_by_role("status")

    def button(self, name):
        return self.panel.get_by_role("button", name=name, exact=True)

    def connected(self, is_connected=True):
        state = "connected" if is_connected else "lost"
        expect(self.panel.locator(f".preview-panel[data-state={state}]")).to_be_visible()

    def ready(self):
        """Waits until all photos are shown or have failed, and until the page has renewed itself after the last."""
        expect(self.panel.locator(".words")).to_have_text(re.compile(r"^\d+ photos done$"))
        self.page.wait_for_function("() => !previewPage.renewal")
        return self

    def unfold(self):
        if self.fold.get_attribute("aria-expanded") == "false":
            self.fold.click()

    def try_filter(self, chain):
        self.unfold()
        self.field.fill(chain)
        self.field.press("Enter")

    def sent(self):
        return self.page.evaluate("sent")

    def views(self):
        return [message for message in self.sent() if message["type"] == "view"]

    def has_reported(self, *slugs):
        """Waits until the last report begins with these photos, the most important first."""
        self.page.wait_for_function(
            f"slugs => {LATEST}?.photos?.slice(0, slugs.length).join() === slugs.join()", arg=list(slugs))

    def has_reported_exactly(self, slugs):
        """Waits until the last report has exactly these photos, in any order."""
        self.page.wait_for_function(
            f"slugs => [...{LATEST}?.photos ?? []].sort().join() === slugs.join()", arg=sorted(slugs))

    def has_reported_the_screen(self):
        """Waits until the last report has the photos on the screen, those nearest to its middle first."""
        self.page.wait_for_function(HAS_REPORTED)

    def mark(self):
        """Marks the document. A reload loses the mark."""
        self.page.evaluate("document.body.isMarked = true")

    @property
    def is_marked(self):
        return self.page.evaluate("document.body.isMarked === true")
