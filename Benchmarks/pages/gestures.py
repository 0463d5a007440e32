"""Gestures of fingers and a mouse in the viewer. Input is sent to the browser with 60 events per second."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from .chromium import throttle
from .trace import Recording

EVENTS_PER_SECOND = 60


@dataclass(frozen=True)
class Viewer:
    """What a benchmark knows of a viewer: the selector of the pictures that open it, and its states as JavaScript."""

    pictures: str
    is_open: str
    is_closed: str
    is_at_rest: str


GALLERYGEN = Viewer(
    pictures="[data-page] img",
    is_open="() => document.querySelector('#viewer')?.open",
    is_closed="() => !document.querySelector('#viewer').open",
    is_at_rest="""() => document.getAnimations().every(animation => animation.playState !== 'running')
        && !document.querySelector('.viewer .loading')""",
)


class Hand:
    """Sends input to one page."""

    def __init__(self, page, session, viewer: Viewer = GALLERYGEN):
        self.page, self.session, self.viewer = page, session, viewer
        size = page.viewport_size
        self.middle = size["width"] / 2, size["height"] / 2

    # Fingers

    def touch(self, type: str, *points: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": points})

    def drag(self, by: tuple[float, float], seconds: float) -> None:
        """Drags a finger across the middle of the page, from one side to the other."""
        (x, y), (dx, dy) = self.middle, by
        self.fingers(seconds, lambda part: [(x + dx * (part - 0.5), y + dy * (part - 0.5))])

    def pinch(self, start: float, end: float, seconds: float) -> None:
        """Moves two fingers from a distance of `start` pixels from the middle to one of `end` pixels."""
        x, y = self.middle
        self.fingers(seconds, lambda part: [(x + side * (start + (end - start) * part), y) for side in (-1, 1)])

    def fingers(self, seconds: float, points: Callable[[float], list]) -> None:
        self.touch("touchStart", *points(0))
        for part in self.paced(seconds):
            self.touch("touchMove", *points(part))
        self.touch("touchEnd")

    def tap(self, x: float, y: float) -> None:
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")

    # Mouse

    def mouse(self, type: str, x: float, y: float, **more) -> None:
        self.session.send("Input.dispatchMouseEvent", {"type": type, "x": x, "y": y, **more})

    def click(self, x: float, y: float) -> None:
        for type in ("mousePressed", "mouseReleased"):
            self.mouse(type, x, y, button="left", clickCount=1)

    def mouse_drag(self, by: tuple[float, float], seconds: float) -> None:
        (x, y), (dx, dy) = self.middle, by
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for part in self.paced(seconds):
            self.mouse("mouseMoved", x + dx * part, y + dy * part, button="left", buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)

    def wheel(self, by: float, seconds: float) -> None:
        for _ in self.paced(seconds):
            self.mouse("mouseWheel", *self.middle, deltaX=0, deltaY=by)

    # Keys

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    @staticmethod
    def paced(seconds: float):
        """Yields the completed part of the gesture at each event's time, or late if the browser takes longer."""
        begin = time.perf_counter()
        count = round(seconds * EVENTS_PER_SECOND)
        for number in range(1, count + 1):
            time.sleep(max(0, begin + number / EVENTS_PER_SECOND - time.perf_counter()))
            yield number / count

    def rest(self) -> None:
        self.page.wait_for_function(self.viewer.is_at_rest)
        self.page.wait_for_timeout(400)


@dataclass(frozen=True)
class Gesture:
    """One row of the table: a gesture, and the state of the viewer that ends the trace."""

    name: str
    do: Callable[[Hand], None]
    until: str = "is_at_rest"


def thumbnail(hand: Hand) -> tuple[float, float]:
    box = hand.page.locator(hand.viewer.pictures).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap_thumbnail(hand: Hand) -> None:
    hand.tap(*thumbnail(hand))


def click_thumbnail(hand: Hand) -> None:
    hand.click(*thumbnail(hand))


def zoomed_out(hand: Hand) -> None:
    hand.pinch(60, 15, 0.4)


#: Each gesture starts in the state in which the previous one ends.
ON_A_PHONE = [
    Gesture("a tap opens a photo", tap_thumbnail, "is_open"),
    Gesture("a slow drag to the neighbour", lambda hand: hand.drag((-240, 0), 0.6)),
    Gesture("a fling to the neighbour", lambda hand: hand.drag((-160, 0), 0.12)),
    Gesture("a pinch that zooms in", lambda hand: hand.pinch(30, 140, 0.5)),
    Gesture("a zoomed picture is moved about", lambda hand: hand.drag((120, 60), 0.5)),
    Gesture("a zoomed picture is flung", lambda hand: hand.drag((100, 30), 0.1)),
    Gesture("a pinch back to the fitted size", lambda hand: hand.pinch(150, 20, 0.5)),
    Gesture("a short drag down, and back", lambda hand: hand.drag((0, 90), 0.5)),
    Gesture("a drag down closes", lambda hand: hand.drag((0, 300), 0.4), "is_closed"),
    Gesture("a tap opens it again", tap_thumbnail, "is_open"),
    Gesture("a pinch below the fitted size closes", zoomed_out, "is_closed"),
]
ON_A_DESKTOP = [
    Gesture("a click opens a photo", click_thumbnail, "is_open"),
    Gesture("an arrow key leads to the next", lambda hand: hand.press("ArrowRight")),
    Gesture("the wheel zooms in", lambda hand: hand.wheel(-30, 0.5)),
    Gesture("the mouse moves a zoomed picture", lambda hand: hand.mouse_drag((-200, 60), 0.5)),
    Gesture("a key zooms back", lambda hand: hand.press("0")),
    Gesture("Escape closes", lambda hand: hand.press("Escape"), "is_closed"),
]


def measured(browser, address: str, screen: dict, rate: int, gestures: list[Gesture], viewer: Viewer = GALLERYGEN):
    """The frames of all gestures, by their names. They are done once, one after another on the same page, whose thread
    is `rate` times slower."""
    page = browser.new_context(**screen).new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    hand = Hand(page, throttle(page, rate), viewer)
    hand.rest()
    figures = {}
    for gesture in gestures:
        with Recording(browser, page) as recording:
            gesture.do(hand)
            page.wait_for_function(getattr(viewer, gesture.until))
            hand.rest()
        figures[gesture.name] = recording.frames()
    page.context.close()
    return figures
