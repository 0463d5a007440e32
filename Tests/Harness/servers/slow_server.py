"""A server of photos that answers each request after a while, and notices clients that leave before that."""

import re

from scripted_server import ScriptedServer, response


class SlowServer(ScriptedServer):
    """Photo n has the address /n.jpg. All have the same picture, with the number after it."""

    def __init__(self, picture, seconds):
        super().__init__()
        self.picture = picture
        self.seconds = seconds
        #: The numbers of photos that are never answered.
        self.held = frozenset()
        #: The numbers of the photos whose connections were closed before the answer, in order.
        self.given_up = []

    def photos(self, count):
        """The list of the photos."""
        for number in range(1, count + 1):
            self.on(f"/{number}.jpg", self._answer)
        return {f"Photo {number}": self.url(f"/{number}.jpg") for number in range(1, count + 1)}

    def requested(self):
        """The numbers of the photos that were requested, in order."""
        return [self._number(request) for request in list(self.requests)]

    @staticmethod
    def _number(request):
        return int(re.search(r"\d+", request.path)[0])

    def _answer(self, connection, request):
        number = self._number(request)
        connection.settimeout(None if number in self.held else self.seconds)
        try:
            # The client sends nothing more, so this returns when it closes the connection.
            connection.recv(1)
        except TimeoutError:
            connection.settimeout(None)
            connection.sendall(response(
                self.picture + number.to_bytes(4, "big"), headers=("Cache-Control: max-age=3600",)))
        else:
            self.given_up.append(number)
