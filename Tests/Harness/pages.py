"""Parses a page of the site: its elements, text and links."""

import posixpath
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """An HTML page: its path in the site and its elements."""

    def __init__(self, path, text):
        super().__init__(convert_charrefs=True)
        self.path = path
        self.elements = []
        self.words = []
        self.depth = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        # Elements inside a template are not part of the page.
        self.depth += tag == "template"
        if not self.depth:
            self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        self.depth -= tag == "template"

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def addresses(self):
        """Yields (tag, attribute, address) for everything that a browser may load or follow."""
        for tag, attributes in self.elements:
            for name in ("href", "src", "poster", "action", "data"):
                if attributes.get(name) is not None:
                    yield tag, name, attributes[name]
            for name in ("srcset", "imagesrcset"):
                for candidate in (attributes.get(name) or "").split(","):
                    if candidate.strip():
                        yield tag, name, candidate.split()[0]

    def local_targets(self):
        """The files of the site that this page refers to, as paths relative to the site's root."""
        targets = []
        for _, _, address in self.addresses():
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            targets.append(posixpath.normpath(posixpath.join(posixpath.dirname(self.path), unquote(parts.path))))
        return targets

    def has(self, tag, **attributes):
        return any(
            tag == found and all(has.get(name) == value for name, value in attributes.items())
            for found, has in self.elements)
