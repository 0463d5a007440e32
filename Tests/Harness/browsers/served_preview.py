"""`gallerygen serve` as the browser tests use it, like `PreviewStandIn`."""

from preview_process import Preview


class ServedPreview:
    """A preview of a gallery. It can be stopped, and started again at the same address."""

    def __init__(self, gallery, *options):
        self.gallery = gallery
        self.options = options
        self.address = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        port = ["--port", self.address.split(":")[2].strip("/")] if self.address else []
        self.process = Preview(self.gallery, *port, *self.options)
        self.address = f"http://127.0.0.1:{self.process.port}/"

    def stop(self):
        self.process.kill()

    def list(self, photos):
        self.gallery.list(photos)

    def write(self, name, text):
        """Writes a file of the gallery's folder."""
        path = self.gallery.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
