"""The panels of the viewer: before and after, information."""


from playwright.sync_api import expect
from screens import DESKTOP


def test_before_and_after_is_a_slider_for_keys_and_pointer(opened, site):
    viewer = opened().press("b")
    slider = viewer.dialog.get_by_role("slider", name="Before and after")
    expect(slider).to_be_focused()
    before = viewer.dialog.locator(".slide img.before")
    original = site.status()["photos"][0]["original"]["path"]
    assert before.get_attribute("src").endswith(original)
    expect(before).to_have_css("clip-path", "inset(0px 50% 0px 0px)")
    viewer.press(*["ArrowRight"] * 5)
    expect(before).to_have_css("clip-path", "inset(0px 45% 0px 0px)")
    box = slider.bounding_box()
    viewer.page.mouse.click(box["x"] + box["width"] * .25, box["y"] + box["height"] / 2)
    assert 20 <= int(slider.input_value()) <= 30
    viewer.press("b")
    expect(slider).to_be_hidden()
    assert before.count() == 0


def test_the_information_says_what_is_known(opened, site):
    viewer = opened().press("i")
    facts = viewer.dialog.get_by_role("region", name="Information")
    for text in ("Aitzol Berasategi", "CC BY 4.0", "A rocky summit", "autumn, mountain", "sepia(0.8)",
                 site.status()["photos"][0]["sha256"][:12], "autumn-mountain.jpg"):
        expect(facts).to_contain_text(text)
    largest = site.status()["photos"][0]["images"][-1]["path"]
    link = facts.get_by_role("link", name="Download the picture")
    assert link.get_attribute("href").endswith(largest)
    viewer.press("i")
    expect(facts).to_be_hidden()


def test_the_link_to_a_photo_can_be_copied(opened, site):
    viewer = opened(permissions=["clipboard-read", "clipboard-write"], **DESKTOP).press("i")
    viewer.button("Copy link").click()
    expect(viewer.button("Copied")).to_be_visible()
    copied = viewer.page.evaluate("navigator.clipboard.readText()")
    assert copied == viewer.visit.address + site.status()["photos"][0]["page"]
