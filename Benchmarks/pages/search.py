"""Measures the response time of the search to a key press."""

from dataclasses import dataclass
from pathlib import Path

from .chromium import throttle
from .trace import END, START, Recording

TEXTS = ["lake 99", "sea", "heron 5"]


@dataclass(frozen=True)
class Answer:
    """The response to a key press: processor times of the page's thread in milliseconds."""

    #: The time from the key press until the number of results is painted.
    count: float
    #: The longest task after that, in which the cards of the results are created, laid out and painted.
    cards: float


def answers(browser, site: Path, screen: dict, rate: int) -> list[Answer]:
    page = browser.new_context(**screen).new_page()
    page.goto((site / "index.html").as_uri())
    field = page.locator("form [name=q]")
    field.focus()
    page.wait_for_load_state("networkidle")
    throttle(page, rate)
    figures = []
    for text in TEXTS:
        field.fill("")
        page.wait_for_timeout(800)
        for key in text:
            with Recording(browser, page) as recording:
                page.keyboard.press(key)
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(500)
            figures.append(answer(recording.events))
    page.context.close()
    return figures


def answer(events: list[dict]) -> Answer:
    marks = {event["name"]: event for event in events if event["name"] in (START, END)}
    start, end = marks[START], marks[END]
    own = [
        event
        for event in events
        if (event["pid"], event["tid"]) == (start["pid"], start["tid"])
        and event["ph"] == "X"
        and start["ts"] <= event["ts"] <= end["ts"]
    ]
    key = next(e for e in own if e["name"] == "EventDispatch" and e["args"]["data"]["type"] == "keydown")
    frame = next(e for e in own if e["name"] == "ProxyMain::BeginMainFrame" and e["ts"] > key["ts"])
    later = [e.get("tdur", 0) for e in own if e["name"] == "RunTask" and e["ts"] > frame["ts"] + frame["dur"]]
    return Answer(
        count=round((frame["tts"] + frame["tdur"] - key["tts"]) / 1000, 1),
        cards=round(max(later, default=0) / 1000, 1),
    )
