"""The accept loop that all socket servers of the tests share."""

import threading


def serve_each(listener, serve):
    """Calls `serve` for each connection, in a thread of its own, until the listener is closed."""

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
