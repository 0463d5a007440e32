"""One page of each kind of a gallery."""

KINDS = ["index", "second", "album", "photo", "failure", "status"]


def kinds(site):
    """One page of each kind: its name → its path."""
    photos = site.photos()
    albums = sorted(path for path in site.files() if path.startswith("album/"))
    return {
        "index": "index.html", "second": "page/2.html", "album": albums[0],
        "photo": photos["Two Dogs on a Balcony"]["page"], "failure": photos["Missing animal"]["page"],
        "status": "status.html"}
