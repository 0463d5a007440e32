"""Page object of the viewer."""

import re

from playwright.sync_api import expect

LAYOUT = """() => {
    const matrix = new DOMMatrix(document.querySelector('.viewer .current .picture').style.transform);
    return { x: matrix.e, y: matrix.f, scale: matrix.a };
}"""
SEEN = """() => {
    const offset = selector => new DOMMatrix(getComputedStyle(document.querySelector(selector)).transform);
    const opaque = [...document.querySelectorAll('.viewer, .viewer .layout, .viewer .stage, .viewer .backdrop')]
        .map(element => [getComputedStyle(element), getComputedStyle(element, '::backdrop')])
        .flat().filter(style => !/, 0\\)$/.test(style.backgroundColor));
    return {
        track: offset('.viewer .track').e, picture: offset('.viewer .current .picture').f,
        layers: opaque.length, opacity: Number(getComputedStyle(document.querySelector('.viewer .backdrop')).opacity) };
}"""
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
AT_REST = """() => document.querySelector('#viewer').getAnimations({ subtree: true })
    .every(animation => animation.playState !== 'running' || animation.effect.target.matches('.progress'))"""


class Viewer:
    """The viewer of one visit's page.

    It waits with locators where it can. While an element is not visible, `expect` describes the whole page after each
    failed look, and on a page of a thousand photos the browser then does little else.
    """

    def __init__(self, visit):
        self.visit, self.page = visit, visit.page
        self.dialog = self.page.locator("#viewer")

    def open(self, name, bars_stay=True):
        """Opens the viewer at a photo. The bars stay, because on a busy machine the input of a test can be slower than
        the 3 s after which they hide and take no clicks."""
        self.page.get_by_role("link", name=name, exact=True).click()
        self.dialog.wait_for()
        if bars_stay:
            self.page.evaluate("Bars.delay = 600_000; viewer.bars.show()")
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def shows(self, name):
        self.dialog.locator(".position", has_text=re.compile(re.escape(f": {name}"))).wait_for(state="attached")
        return self

    def picture(self):
        picture = self.dialog.locator(".current img.after")
        expect(picture).to_have_js_property("complete", True)
        return picture

    def button(self, name):
        return self.dialog.get_by_role("button", name=name, exact=True)

    def menu(self):
        self.button("Menu").click()
        return self

    def bars_are_hidden(self, are_hidden=True):
        expect(self.dialog.locator(".toolbar")).to_have_css("opacity", "0" if are_hidden else "1")

    def layout(self):
        """The position and scale that the picture has once its animations have ended."""
        return self.page.evaluate(LAYOUT)

    def seen(self):
        """The positions of track and picture in this frame, and the opacity of the backdrop."""
        self.page.evaluate(TWO_FRAMES)
        return self.page.evaluate(SEEN)

    def settle(self):
        """Waits until no animation is running."""
        self.page.wait_for_function(AT_REST)
        return self

    def steps(self):
        """The steps of the zoom, as the documentation defines them, from the fitted size (1) on."""
        width, fitted, ratio = self.page.evaluate(
            "[viewer.record.images.at(-1)[0], viewer.zoom.width, devicePixelRatio]")
        own = width / (fitted * ratio)
        return [1] + ([scale for scale in (own, 2 * own, 4 * own) if scale > 1.2] or [2])

    def is_closed(self):
        self.dialog.wait_for(state="hidden")

    def middle(self):
        box = self.dialog.locator(".stage").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
