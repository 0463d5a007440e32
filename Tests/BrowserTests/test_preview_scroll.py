"""A page of a preview with 5,000 photos of a slow server, which is scrolled by the wheel of a mouse."""

import pytest
from pictures import jpeg
from preview import PreviewVisit
from screens import DESKTOP
from served_preview import ServedPreview
from slow_server import SlowServer
from waiting import until

COUNT = 5_000
#: Ten screens of 100 pixels a notch.
NOTCHES = 10 * DESKTOP["viewport"]["height"] // 100

#: The numbers of the photos on the screen, if all of them have their pictures.
COMPLETE = """() => {
    const cards = [...document.querySelectorAll('main > .photos > .card')].filter(card => {
        const { top, bottom } = card.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    const isComplete = cards.every(card => {
        const image = card.querySelector('.picture img');
        return image?.complete && image.naturalWidth;
    });
    return isComplete && cards.length && cards.map(card => Number(card.id.slice('p-photo-'.length)));
}"""


@pytest.fixture
def server():
    with SlowServer(jpeg(1), 0.05) as server:
        # The server holds these photos before a page opens. The rest of the list, which begins when the first screen is
        # complete, comes no further: 16 photos of it are worked on at once, and the first six take up all transfers.
        server.held = range(41, 57)
        yield server


@pytest.fixture
def opened(gallery, server, chromium):
    gallery.list(server.photos(COUNT))
    with ServedPreview(gallery, "--per-page", str(COUNT)) as preview:
        visit = PreviewVisit(chromium, preview.address, "index.html", **DESKTOP)
        yield visit
        visit.close()


def complete(opened):
    """Waits until the screen is complete. Returns the numbers of its photos."""
    opened.page.wait_for_function(COMPLETE)
    return opened.page.evaluate(COMPLETE)


def reported(opened, since=0):
    """The numbers of the photos of each report that the page has sent since a message."""
    reports = [message["photos"] for message in opened.sent()[since:] if message.get("photos")]
    return [[int(slug.removeprefix("photo-")) for slug in photos] for photos in reports]


def turn_wheel(page, notches):
    """Scrolls by 100 pixels a notch. Waits until the page has reported that scrolling ended after the last one.

    The position is no sign of the end: cards that get their pictures on the way change their heights.
    """
    page.evaluate("""() => {
        window.turned = { by: 0, since: performance.now() };
        addEventListener('wheel', ({ deltaY }) => {
            turned.by += deltaY;
            turned.time = performance.now();
        }, { passive: true });
    }""")
    page.mouse.move(640, 400)
    for _ in range(notches):
        page.mouse.wheel(0, 100)
    page.wait_for_function("""distance => {
        const began = sent.findLast(({ scrolling }) => scrolling);
        const { scrolling, time } = sent.at(-1);
        return turned.by === distance && began?.time > turned.since && performance.now() > turned.time + 300
            && scrolling === false && time > began.time;
    }""", arg=notches * 100)


def test_only_the_photos_where_scrolling_stops_are_requested(server, opened):
    page = opened.page
    complete(opened)
    first = reported(opened)[0]
    assert set(server.requested()[:len(first)]) == set(first)
    under_way = set(range(41, 47))
    until(lambda: under_way <= set(server.requested()), what="the rest")

    before, sent = len(server.requested()), len(opened.sent())
    turn_wheel(page, NOTCHES)
    shown = complete(opened)

    # On a busy machine, the wheel can stand still on the way so long that scrolling ends there as well.
    reports = reported(opened, sent)
    requested = server.requested()[before:]
    on_screens = {number for report in reports for number in report}
    assert set(shown) <= on_screens
    others = [number for number in requested if number not in on_screens]
    # The rest goes on when the reported screen is complete, even if its pictures then change the heights of the cards,
    # so that the screen shows other photos. It begins in the order of the list, but photos may be given up again before
    # they are requested, while a later one is requested.
    assert set(others) <= set(server.held), "photos of the screens that were passed"
    # The photos that only the last screen has. They come one after the other, whatever an earlier stop has begun.
    last = set(reports[-1]).difference(*reports[:-1])
    places = [requested.index(number) for number in last if number in requested]
    before_last = requested[min(places, default=0):max(places, default=0)]
    assert not set(before_last) & set(others), "the rest came before the screen"
    until(lambda: under_way - on_screens <= set(server.given_up), what="the end of the transfers under way")
