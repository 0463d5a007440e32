"""The base of all servers of the tests."""

import threading


def serve_each(listener, serve):
    """Calls `serve` for each connection, on a thread of its own, until the listener is closed."""

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
