"""Page object of the search form and its filters."""

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

    def has_shown(self, count):
        """Waits until all cards of the results are shown. Cards below the screen appear as the page is scrolled."""
        expect(self.page.locator(".search-status")).to_have_text(f"{count} photos found")
        self.finds_at_least(min(count, 12))
        # A change of the gallery replaces the cards, so nothing waits for one of them to be at rest.
        self.page.locator(".results:visible h2").nth(min(count, 12) - 1).evaluate("name => name.scrollIntoView()")
        expect(self.page.locator(".results:visible h2")).to_have_count(count)

    def finds_at_least(self, count):
        expect(self.page.locator(".results:visible h2").nth(count - 1)).to_be_attached()

    def finds(self, *names):
        count = "1 photo found" if len(names) == 1 else f"{len(names)} photos found" if names else "No photo found"
        expect(self.page.locator(".search-status")).to_have_text(count)
        expect(self.page.locator(".photos:visible h2")).to_have_text(list(names))
