"""A shared store in a folder, as workers on several machines use it. `StoreTool` calls it."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from preloading import compile_library
from store_tool import StoreTool

SOURCE = Path(__file__).parents[2] / "Harness/disk/faulty_links.c"


@pytest.fixture(scope="module")
def faulty_links(tmp_path_factory):
    """The environment that makes hard links fail in a way."""
    if sys.platform != "linux":
        pytest.skip("LD_PRELOAD works like this only on Linux")
    library = compile_library(SOURCE, tmp_path_factory.mktemp("links") / "faulty-links.so")
    return lambda way: {"LD_PRELOAD": str(library), "FAULTY_LINKS": way}


@pytest.fixture
def store(tmp_path):
    return StoreTool(str(tmp_path / "store"), tmp_path)


def objects(store):
    folder = store.folder / "store"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def private(store, content=b"content"):
    """A file that is copied into the store, because others must not read it."""
    path = store.file(content)
    path.chmod(0o600)
    return path


def test_of_many_workers_one_creates_an_object(store):
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: int(store.run("fill", "photos/", 200)), range(4))) == 200
    assert objects(store) == {f"photos/{number}": str(number).encode() for number in range(200)}


@pytest.mark.parametrize("way", ["lost", "lost-eio"])
def test_a_link_whose_answer_was_lost_is_noticed(store, faulty_links, way):
    assert store.run("create", "a", private(store), env=faulty_links(way)) == "created\n"
    # This one is a link of the file itself.
    assert store.run("create", "b", store.file(b"other", "other"), env=faulty_links(way)) == "created\n"
    assert objects(store) == {"a": b"content", "b": b"other"}


@pytest.mark.parametrize("way", ["none", "nothing"])
def test_without_hard_links_an_object_is_created_once_and_fetched_as_a_copy(store, faulty_links, way):
    env = faulty_links(way)
    assert store.run("create", "images/a.jpg", store.file(b"first"), env=env) == "created\n"
    assert store.run("create", "images/a.jpg", store.file(b"second"), env=env) == "exists\n"
    assert objects(store) == {"images/a.jpg": b"first"}
    assert store.run("fetch", "images/a.jpg", "copy", env=env) == "fetched\n"
    assert (store.folder / "copy").read_bytes() == b"first" and (store.folder / "copy").stat().st_nlink == 1
    assert "File exists" in store.run("fetch", "images/a.jpg", "copy", env=env, expect=1)
    assert sorted(path.name for path in store.folder.iterdir()) == ["copy", "file", "store"]


def test_several_workers_without_hard_links_create_an_object_once(store, faulty_links):
    with ThreadPoolExecutor(4) as pool:
        env = faulty_links("none")
        assert sum(pool.map(lambda _: int(store.run("fill", "photos/", 100, env=env)), range(4))) == 100
    assert objects(store) == {f"photos/{number}": str(number).encode() for number in range(100)}


def test_a_worker_that_is_killed_before_the_link_leaves_no_object(store, faulty_links):
    store.run("create", "images/a", private(store), env=faulty_links("kill"), expect=-9)
    left = objects(store)
    assert [path.split("/")[0] for path in left] == [".tmp"] and list(left.values()) == [b"content"]
    assert store.run("list", "") == "" and store.run("read", "images/a", expect=1) == "missing\n"
    assert store.run("create", "images/a", private(store)) == "created\n"
    # After a day, the next worker removes what is left.
    [temporary] = (store.folder / "store/.tmp").iterdir()
    os.utime(temporary, (0, 0))
    assert store.run("list", "") == "7 images/a\n"
    assert objects(store) == {"images/a": b"content"}


def test_a_store_that_may_not_be_written_is_reported(store):
    store.run("create", "images/a", store.file(b"a"))
    (store.folder / "store/images").chmod(0o555)
    # Otherwise root may write everywhere.
    restricted = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    run = store.run("create", "images/b", store.file(b"b"), expect=1, prefix=restricted)
    assert "images/b: Permission denied" in run
    (store.folder / "store/images").chmod(0o755)
