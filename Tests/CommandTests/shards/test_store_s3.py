"""A shared store in a bucket, as workers on several machines use it, against two servers. `StoreTool` calls it."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from gallery import contents_of
from pictures import jpeg
from s3_stores import Cutter, Gateway, RcloneStore
from store_tool import StoreTool
from workers import Workers

MEGABYTE = 1 << 20


def store_in(bucket, server, folder, port=None):
    """
    :param port: the port of a proxy before the server
    """
    return StoreTool(f"s3://{bucket}/shared", folder, server.environment(port) if port else server.environment())


@pytest.fixture(params=["rclone", "moto"])
def server(request):
    return request.getfixturevalue(request.param)


def new_name():
    return f"bucket-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def store(server, tmp_path):
    name = new_name()
    server.bucket(name)
    return store_in(name, server, tmp_path)


@pytest.fixture
def gateway(rclone):
    gateway = Gateway(rclone.port)
    yield gateway
    gateway.close()


@pytest.fixture
def behind(gateway, rclone, tmp_path):
    """A store of rclone behind the gateway, and the folder of its bucket."""
    folder = rclone.bucket(new_name())
    return store_in(folder.name, rclone, tmp_path, gateway.port), folder


def test_an_object_is_created_once_and_read_back(store):
    file = store.file(b"first" * 1000)
    assert store.run("create", "images/a.jpg", file) == "created\n"
    assert store.run("create", "images/a.jpg", store.file(b"other", "other")) == "exists\n"
    assert store.run("read", "images/a.jpg") == "first" * 1000
    assert store.run("read", "images/a.jpg", 7) == "firstfi"
    assert store.run("fetch", "images/a.jpg", "copy") == "fetched\n"
    assert (store.folder / "copy").read_bytes() == file.read_bytes()
    assert store.run("fetch", "images/b.jpg", "none") == "missing\n"
    assert {path.name for path in store.folder.iterdir()} == {"file", "other", "copy"}


def test_an_empty_object_is_created_and_read(store):
    assert store.run("create", "empty", store.file(b"")) == "created\n"
    assert store.run("read", "empty") == store.run("read", "empty", 10) == ""
    assert store.run("fetch", "empty", "copy") == "fetched\n"
    assert (store.folder / "copy").read_bytes() == b""


def test_a_large_file_is_sent_in_parts(store):
    content = bytes(range(256)) * 4096 * 11
    parts = {"STORE_PART_BYTES": str(5 * MEGABYTE)}
    assert store.run("create", "originals/a", store.file(content), env=parts) == "created\n"
    assert store.run("create", "originals/a", store.file(content), env=parts) == "exists\n"
    assert store.run("list", "originals/") == f"{len(content)} originals/a\n"
    assert store.run("fetch", "originals/a", "copy") == "fetched\n"
    assert (store.folder / "copy").read_bytes() == content


def test_several_workers_that_send_a_large_file_leave_one_object_and_no_parts(moto, tmp_path):
    moto.bucket("large-files")
    store = store_in("large-files", moto, tmp_path)
    file = store.file(bytes(11 * MEGABYTE))
    parts = {"STORE_PART_BYTES": str(5 * MEGABYTE)}
    with ThreadPoolExecutor(4) as pool:
        # moto has no condition for objects in parts.
        assert set(pool.map(lambda _: store.run("create", "originals/a", file, env=parts), range(4))) >= {"created\n"}
    assert store.run("list", "") == f"{11 * MEGABYTE} originals/a\n"
    assert "Uploads" not in moto.client.list_multipart_uploads(Bucket="large-files")


def test_of_many_workers_one_creates_an_object(moto, tmp_path):
    moto.bucket("many-workers")
    store = store_in("many-workers", moto, tmp_path)
    with ThreadPoolExecutor(4) as pool:
        created = sum(pool.map(lambda _: int(store.run("fill", "photos/", 50)), range(4)))
    assert created == 50


def test_2500_keys_are_listed(server, tmp_path):
    name = new_name()
    bucket = server.bucket(name)
    store = store_in(name, server, tmp_path)
    # The servers would need half a minute to create so many objects by requests.
    if isinstance(server, RcloneStore):
        (bucket / "shared/photos").mkdir(parents=True)
        for number in range(2500):
            (bucket / f"shared/photos/{number}").write_text(str(number))
    else:
        server.fill(name, {f"shared/photos/{number}": str(number).encode() for number in range(2500)})
    assert store.run("create", "photos-not/x", store.file(b"x")) == "created\n"

    def listed(prefix):
        return store.run("list", prefix).splitlines()

    numbers = sorted(map(str, range(2500)))
    assert listed("photos/") == [f"{len(number)} photos/{number}" for number in numbers]
    assert listed("photos/99") == [f"{len(number)} photos/{number}" for number in numbers if number[:2] == "99"]
    assert len(listed("")) == 2501


@pytest.mark.parametrize("key", ["a=b", "a+b", "../a", "a//b", "a b"])
def test_a_key_that_is_not_allowed_is_refused_before_a_request_is_made(behind, gateway, key):
    store, _ = behind
    assert "is not a valid key" in store.run("create", key, store.file(b"x"), expect=1)
    assert gateway.requests == 0


def test_a_wrong_secret_a_wrong_key_and_a_bucket_that_is_not_there_are_reported(rclone, tmp_path):
    rclone.bucket("errors")
    store = store_in("errors", rclone, tmp_path)
    assert "SignatureDoesNotMatch" in (error := store.run("list", "", env={"AWS_SECRET_ACCESS_KEY": "x"}, expect=1))
    assert "check the secret key" in error
    error = store.run("list", "", env={"AWS_ACCESS_KEY_ID": "x"}, expect=1)
    assert "InvalidAccessKeyId" in error and "check the access key" in error
    missing = store_in("no-such-bucket", rclone, tmp_path)
    for arguments in [["list", ""], ["create", "a", store.file(b"x")], ["read", "a"]]:
        assert "NoSuchBucket" in (error := missing.run(*arguments, expect=1)) and "create the bucket" in error


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_an_hour_wrong_is_reported(rclone, tmp_path, hours):
    store = store_in("any", rclone, tmp_path)
    error = store.run("list", "", env={"STORE_CLOCK_OFFSET": str(hours * 3600)}, expect=1)
    assert f"the clock of this machine is 60 minutes {'ahead of' if hours > 0 else 'behind'} the store's" in error


def test_a_busy_store_is_asked_again(behind, gateway):
    store, folder = behind
    busy = iter([True, True, True])
    gateway.error = lambda method, path: (503, "SlowDown") if next(busy, False) else None
    assert store.run("create", "images/a.jpg", store.file(b"content")) == "created\n"
    assert (folder / "shared/images/a.jpg").read_bytes() == b"content"
    gateway.error = lambda method, path: (503, "SlowDown")
    before = gateway.requests
    assert "SlowDown" in store.run("read", "images/a.jpg", expect=1)
    assert gateway.requests - before == 4


@pytest.mark.parametrize("parts", [None, 5 * MEGABYTE], ids=["whole", "in-parts"])
def test_an_upload_whose_connection_is_cut_is_repeated_and_nothing_is_lost(rclone, tmp_path, parts):
    folder = rclone.bucket(f"cut-{parts or 'whole'}")
    content = bytes(range(256)) * 4096 * 11
    cutter = Cutter(rclone.port, [MEGABYTE, 2 * MEGABYTE, 6 * MEGABYTE])
    store = store_in(folder.name, rclone, tmp_path, cutter.port)
    env = {"STORE_PART_BYTES": str(parts)} if parts else {}
    assert store.run("create", "originals/a", store.file(content), env=env) == "created\n"
    assert cutter.cuts >= 2
    assert (folder / "shared/originals/a").read_bytes() == content
    cutter.close()


def test_an_upload_whose_connection_is_always_cut_is_reported_and_leaves_no_object(rclone, tmp_path):
    folder = rclone.bucket("always-cut")
    cutter = Cutter(rclone.port, [MEGABYTE] * 20)
    store = store_in(folder.name, rclone, tmp_path, cutter.port)
    error = store.run("create", "originals/a", store.file(bytes(11 * MEGABYTE)), expect=1)
    assert "the connection failed" in error and cutter.cuts == 4
    cutter.close()
    assert store_in(folder.name, rclone, tmp_path).run("read", "originals/a", 1, expect=1) == "missing\n"


def test_a_web_identity_is_exchanged_for_temporary_credentials(moto, tmp_path):
    moto.bucket("web-identity")
    (tmp_path / "token").write_text("a.b.c")
    store = store_in("web-identity", moto, tmp_path)
    env = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "token"),
           "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/worker"}
    assert store.run("create", "a", store.file(b"content"), env=env) == "created\n"
    assert store.run("read", "a") == "content"


def test_workers_share_a_build_over_a_bucket(gallery, web, server):
    """The program itself, and not `StoreTool`, with the endpoint as an option."""
    for number in range(12):
        (web.root / f"{number}.jpg").write_bytes(jpeg(number))
    gallery.list({f"Photo {number}": web.url(f"{number}.jpg") for number in range(12)} | {"Gone": web.url("gone.jpg")})
    name = new_name()
    server.bucket(name)
    env = server.environment()
    endpoint = ["--s3-endpoint", env.pop("AWS_ENDPOINT_URL")]
    workers = Workers(gallery, 2)
    workers.store = f"s3://{name}/a/b"
    workers.work(2, options=("--store-originals", *endpoint), env=env)
    assert workers.shards(*endpoint, form="lines", env=env, expect=1).out == "1\n"
    workers.work(1, options=endpoint, env=env)
    assert workers.shards(*endpoint, form="lines", env=env).out == ""
    workers.publish(*endpoint, env=env)
    assert contents_of(workers.site) == workers.alone()
