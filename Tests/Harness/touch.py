"""Fingers on a page: real touch events, by the browser's own protocol."""

import time


class Touch:
    def __init__(self, visit):
        self.session = visit.context.new_cdp_session(visit.page)
        # The time of the last event that has one of its own.
        self.latest = 0

    def _send(self, type, *points, at=None):
        self.session.send("Input.dispatchTouchEvent", {
            "type": type, "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)],
            **({} if at is None else {"timestamp": at})})

    def down(self, *points):
        self._send("touchStart", *points)
        return self

    def move(self, *points):
        self._send("touchMove", *points)
        return self

    def up(self):
        self._send("touchEnd")
        return self

    def tap(self, point):
        return self.down(point).up()

    def swipe(self, start, end):
        return self.flick(start, end, 150)

    def flick(self, start, end, milliseconds, steps=6, is_down=False):
        """A swipe that takes the time given, by the clock of the events, however slow the machine is. The finger may
        be down already; it then has rested for the tenth of a second over which the page measures its speed."""
        begin = max(time.time(), self.latest) + (.1 if is_down else 0)
        self.latest = begin + milliseconds / 1000

        def at(step):
            return begin + milliseconds / 1000 * step / steps

        if not is_down:
            self._send("touchStart", start, at=begin)
        for step in range(1, steps + 1):
            self._send("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end)), at=at(step))
        self._send("touchEnd", at=at(steps))
        return self

    def pinch(self, middle, start, end, steps=6):
        """Two fingers beside each other, from `start` to `end` px apart."""
        def fingers(apart):
            x, y = middle
            return (x - apart / 2, y), (x + apart / 2, y)

        self._send("touchStart", *fingers(start))
        for step in range(1, steps + 1):
            self._send("touchMove", *fingers(start + (end - start) * step / steps))
        self._send("touchEnd")
        return self
