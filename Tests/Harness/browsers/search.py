"""Page object of the search form and its filters."""

from playwright.sync_api import expect

# A change of the gallery replaces the cards, so the last one is found and scrolled to in the same step.
SCROLL_ON = """
count => {
    const names = document.querySelectorAll('.results:not([hidden]) h2');
    [...names].at(-1)?.scrollIntoView();
    return names.length >= count;
}
"""


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
        """Scrolls to the end of the results until all their cards are shown."""
        expect(self.page.locator(".search-status")).to_have_text(f"{count} photos found")
        self.page.wait_for_function(SCROLL_ON, arg=count)
        expect(self.page.locator(".results:visible h2")).to_have_count(count)

    def finds_at_least(self, count):
        expect(self.page.locator(".results:visible h2").nth(count - 1)).to_be_attached()

    def finds(self, *names):
        count = "1 photo found" if len(names) == 1 else f"{len(names)} photos found" if names else "No photo found"
        expect(self.page.locator(".search-status")).to_have_text(count)
        expect(self.page.locator(".photos:visible h2")).to_have_text(list(names))
