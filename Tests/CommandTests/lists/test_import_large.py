"""`gallerygen init --from` of large sources."""

import plistlib

import pytest

pytestmark = pytest.mark.alone


def test_a_feed_of_50_mb_is_imported_in_bounded_memory(gallery):
    gallery.manifest.unlink(missing_ok=True)
    text = "Words of an entry that is far too long. " * 1_250
    entry = "<item><title>Lake {0}</title><description>{1}</description><enclosure url='{0}.jpg'/></item>\n"
    with (gallery.folder / "feed.xml").open("w") as feed:
        feed.write("<rss version='2.0'><channel><title>Lakes</title>\n")
        for number in range(1_000):
            feed.write(entry.format(number, text))
        feed.write("</channel></rss>\n")
        assert feed.tell() > 50_000_000
    run = gallery.program.run_measured("init", "--from", "feed.xml", cwd=gallery.folder)
    assert run.code == 0, run.output
    photos = plistlib.loads(gallery.manifest.read_bytes())
    assert [photo["url"] for photo in photos] == [f"{number}.jpg" for number in range(1_000)]
    assert {len(photo["caption"]) for photo in photos} == {4_001}, "cut at 4,000 characters, with an ellipsis"
    assert run.peak_rss_mb < 250


def test_an_unterminated_quote_in_a_large_csv_is_reported_at_its_start(gallery):
    gallery.manifest.unlink(missing_ok=True)
    rows = "".join(f"Lake {number},{number}.jpg\n" for number in range(1_000))
    (gallery.folder / "list.csv").write_text(f'name,file\n{rows}Sea,"sea.jpg\n' + "Shore,shore.jpg\n" * 1_000_000)
    run = gallery.program.run_measured("init", "--from", "list.csv", cwd=gallery.folder)
    assert run.code == 65, run.output
    assert "list.csv:1002:5: this quote never ends" in run.err
    assert not gallery.manifest.exists()
    assert run.peak_rss_mb < 150
