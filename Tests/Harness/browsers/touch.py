"""Sends touch events to a page through the Chrome DevTools Protocol."""

import time


class Touch:
    def __init__(self, visit):
        self.session = visit.context.new_cdp_session(visit.page)
        # The timestamp of the last event that was sent with one.
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

    def double_tap(self, point):
        """Two taps whose events have timestamps within 0.15 s, however slow the machine is."""
        begin = max(time.time(), self.latest)
        self.latest = begin + .15
        for offset in (0, .1):
            self._send("touchStart", point, at=begin + offset)
            self._send("touchEnd", at=begin + offset + .05)
        return self

    def swipe(self, start, end):
        return self.flick(start, end, 150)

    def flick(self, start, end, milliseconds, steps=6, is_down=False):
        """A swipe whose events have timestamps over so many milliseconds, however slow the machine is. If the finger
        `is_down` already, the swipe begins 0.1 s later: the page measures the speed over that time."""
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
        """Moves two fingers horizontally from a distance of `start` px to one of `end` px."""
        def fingers(apart):
            x, y = middle
            return (x - apart / 2, y), (x + apart / 2, y)

        self._send("touchStart", *fingers(start))
        for step in range(1, steps + 1):
            self._send("touchMove", *fingers(start + (end - start) * step / steps))
        self._send("touchEnd")
        return self
