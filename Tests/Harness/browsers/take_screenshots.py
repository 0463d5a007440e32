"""Takes the screenshots of the sample gallery that the documentation shows. Scripts/screenshots runs it."""

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

import known_files
from gallery import Gallery
from PIL import Image, ImageOps
from playwright.sync_api import sync_playwright
from program import Program
from screens import DESKTOP, PHONE, TABLET

PAPER = {"viewport": {"width": 698, "height": 1027}}  # A4 at 96 dots an inch, without its margins


class Camera:
    def __init__(self, browser, site, folder):
        self.browser, self.site, self.folder = browser, site, folder

    def page(self, path, **context):
        page = self.browser.new_context(**context).new_page()
        page.goto((self.site / path).as_uri())
        self.settle(page)
        return page

    def settle(self, page):
        """Waits until every picture on the screen is loaded."""
        page.wait_for_function("""() => [...document.images].every(image => {
            const { top, bottom } = image.getBoundingClientRect();
            return !image.checkVisibility() || bottom < 0 || top > innerHeight || image.complete;
        })""")
        page.evaluate(
            "Promise.all([...document.images].filter(image => image.complete)"
            ".map(image => image.decode().catch(() => {})))"
        )

    def take(self, page, name, margin=0, whole=False):
        page.wait_for_function("() => document.getAnimations().every(animation => animation.playState !== 'running')")
        with Image.open(io.BytesIO(page.screenshot(full_page=whole))) as picture:
            if picture.width > 1280:
                picture = picture.resize((picture.width // 2, picture.height // 2))
            picture = ImageOps.expand(picture.convert("RGB"), margin, "white")
            picture.save(self.folder / f"{name}.jpg", quality=80, optimize=True, progressive=True)
        page.context.close()

    def viewer(self, number, *keys, path="index.html", **context):
        page = self.page(path, **context)
        page.locator("a[data-viewer]").nth(number).click()
        page.wait_for_selector(".current img.after")
        page.wait_for_function("() => !document.querySelector('.slide.loading')")
        for key in keys:
            page.keyboard.press(key)
        return page


def take_all(camera, photos):
    failed = next(photo for photo in photos if photo["state"] == "failed")
    first = photos[0]["page"]
    camera.take(camera.page("index.html", **PHONE), "phone")
    camera.take(camera.page("index.html", **TABLET), "tablet")
    camera.take(camera.page("index.html", **DESKTOP), "desktop")
    camera.take(camera.page("index.html", color_scheme="dark", **DESKTOP), "dark")
    page = camera.page("index.html", **DESKTOP)
    page.locator("[data-view-mode]").click()
    camera.settle(page)
    camera.take(page, "list")
    camera.take(camera.viewer(0, **DESKTOP), "viewer")
    camera.take(camera.viewer(0, **PHONE), "viewer-phone")
    camera.take(camera.viewer(0, "i", **DESKTOP), "information")
    page = camera.viewer(0, "b", **DESKTOP)
    page.wait_for_selector(".current img.before")
    page.mouse.move(5, 5)
    camera.take(page, "slider")
    page = camera.page(first, **DESKTOP)
    camera.settle(page)
    camera.take(page, "photo", whole=True)
    camera.take(camera.page(failed["page"], **DESKTOP), "failure", whole=True)
    page = camera.page("index.html", **PAPER)
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    page.emulate_media(media="print")
    camera.take(page, "print", margin=48)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--force-color-profile=srgb", "--hide-scrollbars"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        gallery = Gallery(Path(place) / "gallery", Program(Program.built(), place))
        shutil.copytree(
            known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen"))
        gallery.build("classic-photos.plist", env={"SOURCE_DATE_EPOCH": "1767225600"})
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("GALLERYGEN_CHROMIUM") or shutil.which("chromium"), args=options)
        take_all(Camera(browser, gallery.site, folder), gallery.status()["photos"])
        browser.close()


main()
