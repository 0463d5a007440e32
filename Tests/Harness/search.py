"""Search and filters, as a visitor uses them."""

from playwright.sync_api import expect


class Search:
    def __init__(self, visit):
        self.visit, self.page = visit, visit.page
        self.form = self.page.get_by_role("search")

    def field(self, label):
        if label == "Search":
            return self.form.get_by_role("searchbox", name=label)
        words = self.page.get_by_text(label, exact=True)
        return self.form.locator("label", has=words).locator("select")

    def type(self, text):
        self.field("Search").fill(text)
        return self

    def open_filters(self):
        if not self.form.locator(".filters").evaluate("filters => filters.open"):
            self.form.locator(".filters > summary").click()
        return self

    def choose(self, label, option):
        self.open_filters().field(label).focus()
        self.field(label).select_option(option)
        return self

    def finds(self, *names):
        count = "1 photo found" if len(names) == 1 else f"{len(names)} photos found" if names else "No photo found"
        expect(self.page.locator(".search-status")).to_have_text(count)
        assert self.page.locator(".photos:visible h2").all_inner_texts() == list(names)
