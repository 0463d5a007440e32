"""Nothing that is visible moves while the rest of a page arrives."""

import shutil
from contextlib import ExitStack

import known_files
import pytest
from gallery import Gallery
from page_kinds import KINDS, PHOTOS, kinds
from screens import DESKTOP, PHONE
from visit import Visit
from web_server import WebServer

WRITE_HEAD = """
head => {
    document.open();
    document.write(head);
}
"""

HEAD_IS_LOADED = """
count => document.querySelectorAll('head *').length === count
    && [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)
"""

WRITE_BODY = """
async pieces => {
    const isText = node => node.nodeType === Node.TEXT_NODE;
    const range = document.createRange();
    // The box of an element, or the boxes of the lines of a text. Invisible nodes have none.
    const boxes = node => {
        const element = isText(node) ? node.parentElement : node;
        if (!element?.checkVisibility({ visibilityProperty: true })) return [];
        if (isText(node)) range.selectNodeContents(node);
        const all = [...(isText(node) ? range : node).getClientRects()].filter(({ width, height }) => width && height);
        return isText(node) ? all : all.slice(0, 1);
    };
    // The start of a node, or of each line of a text.
    const starts = node => {
        const found = boxes(node);
        const side = found.length && getComputedStyle(node.parentElement).direction === 'rtl' ? 'right' : 'left';
        return found.map(box => ({ side, x: box[side], y: box.top }));
    };
    const hidden = new Set();
    const first = new Map();
    let hasChanged = false;
    const note = records => {
        hasChanged ||= records.length > 0;
        const touched = ({ type, target, addedNodes }) => type === 'characterData' ? [target] : [...addedNodes];
        for (const added of records.flatMap(touched)) {
            if (!document.body?.contains(added) || added === document.body) continue;
            const walker = document.createTreeWalker(added, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
            for (let node = added; node; node = walker.nextNode()) {
                const counts = isText(node) ? node.data.trim() && node.parentElement !== document.body
                    : node.nodeType === Node.ELEMENT_NODE;
                if (counts && !first.has(node)) hidden.add(node);
            }
        }
    };
    const observer = new MutationObserver(note);
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
    const moved = [];
    const look = piece => {
        for (const [node, before] of first) {
            const now = boxes(node);
            // A border in a table row moves nodes by 1 px, which browsers do not report as a layout shift.
            const distance = ({ side, x, y }, box) => Math.hypot(box[side] - x, box.top - y);
            if (before.every((start, line) => now[line] && distance(start, now[line]) <= 1.5)) continue;
            const places = [before, starts(node)].map(all => all.map(({ x, y }) => `${x},${y}`).join(' ')).join(' to ');
            const name = (node.outerHTML || node.data).slice(0, 80);
            moved.push(`${name} from ${places} by ${piece.slice(0, 80)}`);
            first.delete(node);
            hidden.add(node);
        }
        for (const node of hidden) {
            const now = starts(node);
            if (!now.length) continue;
            first.set(node, now);
            hidden.delete(node);
        }
    };
    for (const piece of pieces) {
        document.write(piece);
        note(observer.takeRecords());
        // An end tag does not change the document. Half of all pieces are end tags.
        if (hasChanged) look(piece);
        hasChanged = false;
    }
    const count = first.size;
    const isLoaded = new Promise(done => addEventListener('load', () => setTimeout(done)));
    document.close();
    await isLoaded;
    note(observer.takeRecords());
    look('the scripts');
    return [count, moved];
}
"""

MANY = PHOTOS | {
    "Autumn on Aizkorri": PHOTOS["Autumn on Aizkorri"] | {"tags": [f"tag {number} of many" for number in range(20)]},
    **{
        f"Album {number} of a dozen": {
            f"{number}": "tulips-vignette-alpha.png",
            "Inside": {f"{number}, inside": "no.jpg"},
        }
        for number in range(12)
    },
}


@pytest.fixture(scope="module")
def address_in(program, tmp_path_factory):
    """A function that returns a gallery in a language and its address at a web server. The gallery is built at the
    first call."""
    built = {}

    def address_in(language):
        if language not in built:
            gallery = Gallery(tmp_path_factory.mktemp(language) / "gallery", program)
            shutil.copytree(
                known_files.SAMPLES, gallery.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".gallerygen")
            )
            # The English gallery has long pages, whose end is laid out late; the others have two picture formats.
            options = ["--per-page", "18"] if language == "en" else ["--per-page", "6", "--formats", "jpeg,webp"]
            gallery.list(MANY).build("--title", "Sample Photos", "--language", language, *options)
            server = servers.enter_context(WebServer(gallery.site, tmp_path_factory.mktemp("nginx")))
            built[language] = gallery, server.url("")
        return built[language]

    with ExitStack() as servers:
        yield address_in


def pages(gallery):
    return kinds(gallery) | {"details": gallery.photos()["Autumn on Aizkorri"]["page"]}


@pytest.mark.parametrize("language, view", [("en", "grid"), ("en", "list"), ("de", "grid"), ("ar", "list")])
@pytest.mark.parametrize("kind", [*KINDS, "details"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_if_a_page_arrives_tag_by_tag(address_in, chromium, language, kind, screen, view):
    gallery, address = address_in(language)
    path = pages(gallery)[kind]
    head, body = (gallery.site / path).read_text().split("</head>")
    pieces = [piece for tag in f"</head>{body}".split("<")[1:] for piece in tag_and_text("<" + tag)]
    visit = Visit(chromium, address, **screen)
    try:
        page = visit.page
        page.route(visit.address + path, lambda route: route.fulfill(content_type="text/html", body=""))
        visit.open(path)
        page.evaluate("view => localStorage.setItem('gallerygen.view', JSON.stringify(view))", view)
        head_count = page.evaluate(
            "html => new DOMParser().parseFromString(html, 'text/html').head.querySelectorAll('*').length", head)
        page.evaluate(WRITE_HEAD, head)
        page.wait_for_function(HEAD_IS_LOADED, arg=head_count)
        seen, moved = page.evaluate(WRITE_BODY, pieces)
        assert seen > 50
        assert page.evaluate("document.documentElement.classList.contains('list-view')") == (view == "list")
        assert moved == []
        assert visit.unexpected_problems() == []
    finally:
        visit.close()


def tag_and_text(markup):
    """A tag, and the text that follows it."""
    tag, _, text = markup.partition(">")
    return [piece for piece in (tag + ">", text) if piece]
