"""Pages that arrive piece by piece: what a visitor sees stays where it is while the rest comes."""

import shutil

import known_files
import pytest
from conftest import PHOTOS
from gallery import Gallery
from page_kinds import KINDS, kinds
from screens import DESKTOP, PHONE
from visit import Visit
from web_server import WebServer

WRITE_HEAD = """
head => {
    document.open();
    document.write(head);
}
"""

HEAD_IS_THERE = """
count => document.querySelectorAll('head *').length === count
    && [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)
"""

WRITE_BODY = """
async pieces => {
    const place = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = (node.nodeType === Node.TEXT_NODE ? range : node).getClientRects()[0];
        const isRightToLeft = getComputedStyle(node.parentElement).direction === 'rtl';
        return box?.width && box.height && [isRightToLeft ? box.right : box.left, box.top];
    };
    const places = () => {
        const all = new Map();
        for (const element of document.body.querySelectorAll('*')) {
            if (!element.checkVisibility({ visibilityProperty: true })) continue;
            const texts = [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
            for (const node of [element, ...texts]) {
                const now = place(node);
                if (now) all.set(node, now);
            }
        }
        return all;
    };
    const moved = [];
    let before = new Map();
    const look = piece => {
        const now = places();
        for (const [node, [x, y]] of before) {
            const [newX, newY] = now.get(node) || [x, y];
            // A hair's breadth is what a border takes in a row of a table; browsers do not count it as moved.
            if (Math.abs(newX - x) <= 1 && Math.abs(newY - y) <= 1) continue;
            moved.push(`${(node.outerHTML || node.data).slice(0, 80)} from ${x} ${y} to ${newX} ${newY} by ${piece.slice(0, 80)}`);
        }
        before = now;
        return now.size;
    };
    let count = 0;
    for (const piece of pieces) {
        document.write(piece);
        if (document.body) count = look(piece);
    }
    const isRead = new Promise(done => document.addEventListener('DOMContentLoaded', done));
    document.close();
    await isRead;
    look('the scripts');
    return [count, moved];
}
"""


@pytest.fixture(scope="module")
def address_in(program, tmp_path_factory):
    """Sites in several languages, each behind a web server: built when it is first asked for. Gives the gallery and its address."""
    built = {}

    def address_in(language):
        if language not in built:
            gallery = Gallery(tmp_path_factory.mktemp(language) / "gallery", program)
            shutil.copytree(known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen"))
            gallery.list(PHOTOS).build("--per-page", "6", "--title", "Sample Photos", "--language", language)
            server = WebServer(gallery.site, tmp_path_factory.mktemp("nginx"))
            built[language] = gallery, server, server.__enter__().url("")
        gallery, _, address = built[language]
        return gallery, address

    yield address_in
    for _, server, _ in built.values():
        server.__exit__(None, None, None)


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_wherever_the_arrival_of_a_page_is_held_up(address_in, chromium, language, kind, screen):
    gallery, address = address_in(language)
    path = kinds(gallery)[kind]
    head, body = (gallery.site / path).read_text().split("</head>")
    visit = Visit(chromium, address, **screen)
    page = visit.page
    page.route(visit.address + path, lambda route: route.fulfill(content_type="text/html", body=""))
    visit.open(path)
    head_count = page.evaluate("html => new DOMParser().parseFromString(html, 'text/html').head.querySelectorAll('*').length", head)
    page.evaluate(WRITE_HEAD, head)
    page.wait_for_function(HEAD_IS_THERE, arg=head_count)
    pieces = [piece for tag in f"</head>{body}".split("<")[1:] for piece in halves("<" + tag)]
    seen, moved = page.evaluate(WRITE_BODY, pieces)
    assert seen > 50
    assert moved == []
    visit.close()
    assert visit.faults() == []


def halves(markup):
    """A tag, and the text that follows it."""
    tag, _, text = markup.partition(">")
    return [piece for piece in (tag + ">", text) if piece]
