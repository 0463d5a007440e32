"""`publish` to a bucket of an S3 store."""

import re
import signal
import socket
import subprocess
import time

import pytest
from gallery import contents_of
from pictures import jpeg
from s3_stores import KEYS, Gateway
from waiting import TIMEOUT, until

LIST = ".gallerygen-published"


@pytest.fixture
def bucket(rclone, request):
    """The folder of a new bucket in the store of rclone."""
    return rclone.bucket(f"bucket-{abs(hash(request.node.name))}")


@pytest.fixture
def gateway(rclone):
    gateway = Gateway(rclone.port)
    yield gateway
    gateway.close()


def published(folder):
    return {path: digest for path, digest in contents_of(folder).items() if path != LIST}


def publish(gallery, store, target, *arguments, expect=0, env=None, **options):
    run = gallery.run("publish", *arguments, target, env=store.environment() | (env or {}), **options)
    assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in run.output
    return run


def test_a_site_is_published_to_a_store_that_checks_signatures_and_is_then_up_to_date(three_photos, rclone, bucket):
    three_photos.build()
    target = f"s3://{bucket.name}/my photos/2026+"
    run = publish(three_photos, rclone, target)
    assert f"Published to {target}: " in run.err
    assert published(bucket / "my photos/2026+") == three_photos.contents()
    assert publish(three_photos, rclone, target).output == f"{target} is up to date.\n"
    assert publish(three_photos, rclone, target, "--verify").output == f"{target} is up to date.\n"


def test_an_empty_file_is_published(three_photos, rclone, bucket):
    assets = three_photos.folder / "templates/assets"
    assets.mkdir(parents=True)
    (assets / "mine.css").touch()
    three_photos.build("--templates", "templates")
    publish(three_photos, rclone, f"s3://{bucket.name}")
    assert [path.stat().st_size for path in bucket.glob("assets/mine.*.css")] == [0]
    assert published(bucket) == three_photos.contents()


def test_changes_are_sent_and_only_objects_that_left_the_site_are_removed(three_photos, rclone, bucket):
    three_photos.build()
    target = f"s3://{bucket.name}"
    (bucket / "photo").mkdir()
    (bucket / "photo/mine.html").write_text("mine")
    publish(three_photos, rclone, target)
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    assert "for cached pages" in publish(three_photos, rclone, target).err
    assert (bucket / "photo/two.html").exists()
    publish(three_photos, rclone, target, "--keep-old", "0")
    assert published(bucket).keys() == three_photos.contents().keys() | {"photo/mine.html"}
    assert published(bucket).items() > three_photos.contents().items()


def test_a_foreign_object_is_reported_and_nothing_is_sent(three_photos, rclone, bucket):
    three_photos.build()
    (bucket / "index.html").write_text("mine")
    run = publish(three_photos, rclone, f"s3://{bucket.name}", expect=73)
    assert "index.html is not known as gallerygen's" in run.err
    assert {path.name for path in bucket.iterdir()} == {"index.html"}


def test_verify_sends_objects_again_that_are_missing_or_changed(three_photos, rclone, bucket):
    three_photos.build()
    publish(three_photos, rclone, f"s3://{bucket.name}")
    page = bucket / "photo/one.html"
    page.write_text("x" * page.stat().st_size)
    (bucket / "photo/two.html").unlink()
    assert "sent 2 pages;" in publish(three_photos, rclone, f"s3://{bucket.name}", "--verify").err
    assert published(bucket) == three_photos.contents()


def test_objects_have_the_content_types_and_cache_control_for_browsers(three_photos, moto):
    three_photos.build("--formats", "jpeg,webp")
    moto.client.create_bucket(Bucket="headers")
    publish(three_photos, moto, "s3://headers")
    assert moto.keys("headers") == three_photos.files() | {LIST}
    seen = {}
    for key in moto.keys("headers"):
        head = moto.client.head_object(Bucket="headers", Key=key)
        seen.setdefault(key.rsplit(".", 1)[-1], set()).add((head["ContentType"], head["CacheControl"]))
    forever, short = "public, max-age=31536000, immutable", "public, max-age=60"
    assert seen == {
        "html": {("text/html; charset=utf-8", short)},
        "js": {("text/javascript; charset=utf-8", forever), ("text/javascript; charset=utf-8", short)},
        "css": {("text/css; charset=utf-8", forever)},
        "svg": {("image/svg+xml", forever)},
        "jpg": {("image/jpeg", forever)},
        "webp": {("image/webp", forever)},
        "json": {("application/json", short)},
        "xml": {("application/atom+xml", short)},
        "gallerygen-published": {("text/plain; charset=utf-8", "no-store")},
    }


def test_a_bucket_of_the_same_name_in_another_store_is_another_target(three_photos, rclone, moto, bucket):
    three_photos.build()
    publish(three_photos, rclone, f"s3://{bucket.name}")
    moto.client.create_bucket(Bucket=bucket.name)
    publish(three_photos, moto, f"s3://{bucket.name}")
    assert moto.keys(bucket.name) == three_photos.files() | {LIST}


def test_keys_with_any_characters_are_listed_and_removed(three_photos, moto):
    three_photos.build()
    moto.client.create_bucket(Bucket="keys")
    target = "s3://keys/ä + b&c%20"
    publish(three_photos, moto, target)
    moto.client.put_object(Bucket="keys", Key="ä + b&c%20/photo/\x01.html", Body=b"mine")
    assert publish(three_photos, moto, target, "--verify").output == f"{target} is up to date.\n"


@pytest.mark.parametrize("answer", [
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>"
    "</ListBucketResult>",
    "<ListBucketResult><IsTruncated>false</IsTruncated>", "<html></html>", ""])
def test_a_listing_that_is_not_complete_is_reported_and_nothing_is_sent(three_photos, rclone, bucket, gateway, answer):
    three_photos.build()
    asked = []

    def listing(_, path):
        if "list-type=2" not in path:
            return None
        asked.append(path)
        return answer

    gateway.instead = listing
    env = rclone.environment(gateway.port)
    run = publish(three_photos, rclone, f"s3://{bucket.name}", env=env, expect=74)
    assert len(asked) == (2 if "NextContinuationToken" in answer else 1)
    assert "the store's answer is not a list of objects" in run.err
    assert list(bucket.iterdir()) == []


@pytest.mark.parametrize("answer", ["<Error><Code>InternalError</Code></Error>", "<html></html>", ""])
def test_an_answer_that_confirms_no_removal_is_reported(three_photos, rclone, bucket, gateway, answer):
    env = rclone.environment(gateway.port)
    three_photos.build()
    publish(three_photos, rclone, f"s3://{bucket.name}", env=env)
    three_photos.list({"One": "1.jpg"})
    three_photos.build()
    gateway.instead = lambda method, path: answer if method == "POST" else None
    target = [f"s3://{bucket.name}", "--keep-old", "0"]
    run = publish(three_photos, rclone, *target, env=env, expect=74)
    assert "the store's answer is not a result of the removal" in run.err
    gateway.instead = None
    publish(three_photos, rclone, *target, env=env)
    assert published(bucket) == three_photos.contents()


def test_pages_are_removed_before_their_pictures_in_requests_of_their_own(three_photos, rclone, bucket, gateway):
    env = rclone.environment(gateway.port)
    three_photos.build("--per-page", "1")
    publish(three_photos, rclone, f"s3://{bucket.name}", env=env)
    three_photos.list({"One": "1.jpg"})
    three_photos.build("--per-page", "1")
    publish(three_photos, rclone, f"s3://{bucket.name}", "--keep-old", "0", env=env)
    removals = [re.findall(r"<Key>(.*?)</Key>", body.decode()) for body in gateway.posts]
    kinds = [{re.sub(r"^page.*|/.*", "", key) for key in keys} for keys in removals]
    assert len(kinds) == 3 and kinds[1] == {"photo"}, removals
    assert "images" in kinds[2] and not {"photo"} & (kinds[0] | kinds[2])


def test_many_objects_are_listed_and_removed_in_parts(gallery, moto):
    (gallery.folder / "1.jpg").write_bytes(jpeg(1, 16, 12))
    photos = {f"Photo {number}": "1.jpg" for number in range(1_050)}
    gallery.list(photos).build("--widths", "8", "--no-originals")
    moto.client.create_bucket(Bucket="many")
    publish(gallery, moto, "s3://many")
    # The store lists at most 1,000 objects in one response.
    moto.client.delete_object(Bucket="many", Key="photo/photo-1.html")
    moto.client.delete_object(Bucket="many", Key="photo/photo-999.html")
    assert "sent 2 pages;" in publish(gallery, moto, "s3://many", "--verify").err
    gallery.list({"Photo 1": "1.jpg"}).build("--widths", "8", "--no-originals")
    publish(gallery, moto, "s3://many", "--keep-old", "0", "--max-delete", "2000")
    assert moto.keys("many") == gallery.files() | {LIST}


def test_the_next_publication_completes_one_that_failed_at_any_request(three_photos, rclone, bucket, gateway):
    env = rclone.environment(gateway.port)

    def publish_until(left):
        gateway.left = left
        run = three_photos.run("publish", "--keep-old", "0", f"s3://{bucket.name}", env=env)
        assert run.code == 0 or run.code == 74 and "Broken" in run.err, run.output
        return run.code == 0

    three_photos.build()
    assert publish_until(None)
    whole, breaks = False, 0
    while not whole:
        # One photo is removed and one is added, and all pictures and pages change.
        three_photos.list({"One": "1.jpg", f"Photo {breaks}": "2.jpg"})
        three_photos.build("--filter", f"sepia(0.{breaks + 10})")
        whole = publish_until(breaks)
        named = set(re.findall(r'(?:src|href)="([\w./-]+)"', (bucket / "index.html").read_text()))
        assert not {name for name in named if not (bucket / name).exists()}
        assert publish_until(None)
        assert published(bucket) == three_photos.contents()
        breaks += 1
    assert breaks > 20


def test_a_request_is_retried_when_the_store_is_busy(three_photos, rclone, bucket, gateway):
    three_photos.build()
    gateway.refusal = 503
    gateway.left = 0
    env = rclone.environment(gateway.port)
    process = subprocess.Popen(
        [three_photos.program.path, "publish", f"s3://{bucket.name}"], cwd=three_photos.folder,
        env=three_photos.program.environment(env), stderr=subprocess.PIPE, text=True)
    until(lambda: gateway.requests >= 2)
    gateway.left = None
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, err
    assert published(bucket) == three_photos.contents()


def test_the_message_contains_the_error_of_the_store(three_photos, rclone, bucket):
    three_photos.build()
    env = {"AWS_SECRET_ACCESS_KEY": "wrong"}
    assert "SignatureDoesNotMatch" in publish(three_photos, rclone, f"s3://{bucket.name}", env=env, expect=74).err
    assert "NoSuchBucket" in publish(three_photos, rclone, "s3://no-such-bucket", expect=74).err


def test_an_unreachable_store_and_missing_credentials_are_reported(three_photos, rclone):
    three_photos.build()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    env = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free}"}
    assert "connection failed" in publish(three_photos, rclone, "s3://bucket", env=env, expect=74).err
    run = three_photos.run("publish", "s3://bucket")
    assert run.code == 74 and "AWS_ACCESS_KEY_ID" in run.err


def test_credentials_and_endpoint_can_come_from_a_profile(three_photos, rclone, bucket, tmp_path):
    three_photos.build()
    (tmp_path / "credentials").write_text(
        f"[club]\naws_access_key_id = {KEYS['AWS_ACCESS_KEY_ID']}\n"
        f"aws_secret_access_key = {KEYS['AWS_SECRET_ACCESS_KEY']}\n")
    (tmp_path / "config").write_text(f"[profile club]\nendpoint_url = http://127.0.0.1:{rclone.port}\n")
    run = three_photos.run("publish", f"s3://{bucket.name}", env={
        "AWS_PROFILE": "club", "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
        "AWS_CONFIG_FILE": str(tmp_path / "config")})
    assert run.code == 0, run.output
    assert published(bucket) == three_photos.contents()


@pytest.mark.parametrize("target", ["s3://", "s3://Bucket", "s3://a/b", "s3://bucket/../x", "s3://bucket//x"])
def test_an_invalid_address_is_a_usage_error(three_photos, target):
    assert three_photos.run("publish", target).code == 64


@pytest.mark.alone
def test_an_interruption_ends_a_publication_that_waits_for_the_store(three_photos, rclone):
    three_photos.build()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        env = rclone.environment(listener.getsockname()[1])
        process = subprocess.Popen(
            [three_photos.program.path, "publish", "s3://bucket"], cwd=three_photos.folder,
            env=three_photos.program.environment(env), stderr=subprocess.PIPE, text=True)
        listener.settimeout(TIMEOUT)
        connection, _ = listener.accept()
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)
        connection.close()
    assert process.returncode == 143, err
    assert time.monotonic() - start < 2
