"""The list of a gallery that has every kind of page, and the path of one page of each kind."""

PHOTOS = {
    "Autumn on Aizkorri": {
        "url": "autumn-mountain.jpg",
        "caption": "A rocky summit over a meadow.",
        "credit": "Aitzol Berasategi",
        "license": "CC BY 4.0",
        "link": "https://example.org/aizkorri",
        "tags": ["autumn", "mountain"],
        "rating": 3,
        "date": "2021-10-17",
    },
    "Lighthouse <b>& \"light\"</b>": "lighthuose.jpg",
    "Two Dogs on a Balcony": "two-dogs-orientation6.jpg",
    "Animals": {
        "Birds": {"Nuthatch": "nuthatch.jpg"},
        "Dragonfly": "dragonfly-orientation8.jpg",
        "Missing animal": "no-animal.png",
    },
    "A name so long that it has to be broken somewhere, with Donaudampfschifffahrtsgesellschaftskapitän in it": (
        "dandelions.jpg"
    ),
    "بحيرة": "infinite-sea.jpg",
    "Rocky Shore": {"url": "rocky-shore-grey.png", "rating": 5, "date": "2019-06-01"},
    "Tulips": "tulips-vignette-alpha.png",
    "Cut Fig": "cut-fig-adobergb.jpg",
    "Picos de Europa": "picos-de-europa.jpg",
    "Not a picture": "SOURCES.md",
}

KINDS = ["index", "second", "album", "photo", "failure", "status"]


def kinds(site):
    """Kind → path of a page of that kind."""
    photos = site.photos()
    albums = sorted(path for path in site.files() if path.startswith("album/"))
    return {
        "index": "index.html", "second": "page/2.html", "album": albums[0],
        "photo": photos["Two Dogs on a Balcony"]["page"], "failure": photos["Missing animal"]["page"],
        "status": "status.html"}
