"""The viewer, as a visitor handles it."""

from playwright.sync_api import expect

LAYOUT = """() => {
    const matrix = new DOMMatrix(document.querySelector('.viewer .slide').style.transform);
    return { x: matrix.e, y: matrix.f, scale: matrix.a };
}"""


class Viewer:
    """The viewer of one visit's page."""

    def __init__(self, visit):
        self.visit, self.page = visit, visit.page
        self.dialog = self.page.locator("#viewer")

    def open(self, name):
        self.page.get_by_role("link", name=name, exact=True).click()
        expect(self.dialog).to_be_visible()
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def shows(self, name):
        expect(self.dialog.locator(".position")).to_contain_text(f": {name}")
        return self

    def picture(self):
        picture = self.dialog.locator(".slide img.after")
        expect(picture).to_have_js_property("complete", True)
        return picture

    def button(self, name):
        return self.dialog.get_by_role("button", name=name, exact=True)

    def layout(self):
        return self.page.evaluate(LAYOUT)

    def is_closed(self):
        expect(self.dialog).to_be_hidden()

    def middle(self):
        box = self.dialog.locator(".stage").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
