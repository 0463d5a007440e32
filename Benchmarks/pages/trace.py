"""Traces of a browser during a gesture: its frames, and the tasks of the page's thread."""

import json
from dataclasses import dataclass

CATEGORIES = [
    "devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame",
    "cc", "benchmark", "toplevel", "blink.user_timing",
]
#: The time of a frame, in milliseconds.
FRAME = 1000 / 60
#: The performance marks of the page.
START, END = "measured-start", "measured-end"


@dataclass(frozen=True)
class Frames:
    """The frames of a gesture. The trace says which frames were shown and which were dropped."""

    shown: int
    #: Frames that were not shown, or that were shown without the movement.
    dropped: int
    #: The milliseconds from the first input to the first shown frame; 0 if no frame was shown.
    delay: float
    #: The processor times of the longest tasks of the page's thread in milliseconds, the longest first.
    tasks: list[float]
    #: The number of tasks that took longer than a frame.
    long: int
    #: The largest number of elements in one style recalculation, and the number of layouts.
    elements: int
    layouts: int


class Recording:
    """A trace of one page."""

    def __init__(self, browser, page):
        self.browser, self.page = browser, page

    def __enter__(self):
        self.browser.start_tracing(page=self.page, categories=CATEGORIES)
        self.page.evaluate(f"performance.mark('{START}')")
        return self

    def __exit__(self, *_):
        self.page.evaluate(f"performance.mark('{END}')")
        self.events = json.loads(self.browser.stop_tracing())["traceEvents"]

    def frames(self) -> Frames:
        marks = {event["name"]: event for event in self.events if event["name"] in (START, END)}
        start, end = marks[START], marks[END]
        inside = [
            event
            for event in self.events
            if event["pid"] == start["pid"] and start["ts"] <= event.get("ts", 0) <= end["ts"]
        ]
        # The compositor and the page both report a frame if both have changes. Changes of the page may be late, because
        # the compositor shows the movement.
        shown, dropped = {}, set()
        for event in inside:
            if event["name"] == "PipelineReporter" and event["ph"] == "b":
                reporter = event["args"]["frame_reporter"]
                number = reporter["frame_sequence"]
                if reporter["state"] == "STATE_DROPPED" and reporter["affects_smoothness"]:
                    dropped.add(number)
                elif reporter["state"].startswith("STATE_PRESENTED"):
                    shown[number] = event["ts"]
        shown = {number: time for number, time in shown.items() if number not in dropped}

        own = [event for event in inside if event["tid"] == start["tid"] and event["ph"] == "X"]
        # In processor time, so that other programs on the machine do not count.
        tasks = [event.get("tdur", 0) / 1000 for event in own if event["name"] == "RunTask"]
        styles = [event["args"].get("elementCount", 0) for event in own if event["name"] == "UpdateLayoutTree"]
        return Frames(
            shown=len(shown),
            dropped=len(dropped),
            delay=round((min(shown.values(), default=start["ts"]) - start["ts"]) / 1000),
            tasks=[round(task, 1) for task in sorted(tasks, reverse=True)[:5]],
            long=sum(task > FRAME for task in tasks),
            elements=max(styles, default=0),
            layouts=sum(event["name"] == "Layout" for event in own),
        )
