"""The files of Deploy/: Slurm and GNU parallel build 5,000 photos in eight shards, and go on after a worker was killed.
Kubernetes and CI are given the right commands."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import yaml
from gallery import Gallery, contents_of
from pictures import jpeg, with_comment
from program import ROOT, Program
from scripted_server import ScriptedServer, held, picture
from slurm import Slurm
from waiting import TIMEOUT, until
from web_server import WebServer
from workers import CLOCK, Workers

DEPLOY = ROOT / "Deploy"
PHOTOS = 5_000
SHARDS = 8


@pytest.fixture(scope="module")
def collection(program, tmp_path_factory):
    """A gallery of 5,000 tiny photos, one of them on a server that the test controls, and the site of one machine."""
    folder = tmp_path_factory.mktemp("collection")
    (folder / "www").mkdir()
    tiny = jpeg(0, 16, 12)
    for number in range(PHOTOS - 1):
        (folder / f"www/{number}.jpg").write_bytes(with_comment(tiny, str(number)))
    with WebServer(folder / "www", folder / "nginx") as web, ScriptedServer() as scripted:
        gallery = Gallery(folder / "gallery", program)
        gallery.web, gallery.scripted = web, scripted
        path, gallery.held_in = held_photo(gallery, scripted)
        photos = [(f"Photo {number}", web.url(f"{number}.jpg")) for number in range(PHOTOS - 1)]
        photos.insert(PHOTOS // 2, ("Held", scripted.url(path)))
        gallery.list(dict(photos))
        gallery.held = path
        gallery.workers = Workers(gallery, SHARDS)
        scripted.on(path, picture(jpeg(1, 16, 12)))
        gallery.alone = gallery.workers.alone()
        yield gallery


def held_photo(gallery, scripted):
    """The path of a photo that is in one of the middle shards, and the index of the shard."""
    workers = Workers(gallery, SHARDS)
    for number in range(100):
        path = f"/held-{number}.jpg"
        gallery.list({"Held": scripted.on(path, picture(jpeg(1, 16, 12)))})
        for index in range(3, 7):
            workers.store = gallery.folder / f"trial-{number}"
            if "1 photo: 1 filtered" in workers.work(index).err:
                return path, index
    raise AssertionError("no address is in a shard from 3 to 6")


@pytest.fixture
def engine(collection, tmp_path):
    """The environment of an engine: the program is in its PATH, and the state folders are in a folder of its own."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gallerygen").symlink_to(Program.built().resolve())
    (tmp_path / "local").mkdir()
    environment = collection.program.environment() | CLOCK | {
        "STORE": str(tmp_path / "store"), "SHARDS": str(SHARDS), "TMPDIR": str(tmp_path / "local"),
        "STATE": str(tmp_path / "local/state"), "MACHINES": ":"}
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}:/usr/sbin:/sbin"
    collection.workers.store = tmp_path / "store"
    collection.scripted.on(collection.held, held(collection.scripted, jpeg(1, 16, 12)))
    collection.scripted.release.clear()
    collection.web.new_requests()
    yield environment
    collection.scripted.release.set()


def work_folder(collection, folder, *files):
    """A folder with the list and copies of files of Deploy."""
    folder.mkdir()
    (folder / "photos.plist").write_bytes(collection.manifest.read_bytes())
    for file in files:
        (folder / file.name).write_bytes(file.read_bytes())
        (folder / file.name).chmod(0o755)
    return folder


def wait_for_a_part(workers):
    """Waits until a worker has done a part of a shard that is not complete."""
    complete = json.loads(workers.shards(form="json", expect=1).out)["complete"]
    done = sum(row["photos"] for row in complete)
    until(lambda: len(workers.records()) > done + 100, what="a part of the work of a worker")


def worker_processes(store, index=None):
    """The numbers of the processes that work on a shard of a store, or on any of its shards."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # the process has ended
        if arguments[0].endswith("gallerygen") and "--shard" in arguments and str(store) in arguments:
            if index is None or f"{index}/{SHARDS}" in arguments:
                found.append(int(process.name))
    return found


def test_slurm_builds_the_site_of_one_machine_after_a_worker_was_killed_and_a_shard_left_out(
        collection, engine, tmp_path):
    workers, killed, left_out = collection.workers, collection.held_in, collection.held_in + 1
    folder = work_folder(collection, tmp_path / "work", *(DEPLOY / "slurm").iterdir())
    slurm = Slurm(tmp_path / "slurm", cpus=4)
    try:
        first = ",".join(str(index) for index in range(1, SHARDS + 1) if index != left_out)
        job = slurm.submit(f"--array={first}", "shards.sbatch", cwd=folder, env=engine)
        collection.scripted.wait_for(collection.held)
        others = {str(index) for index in range(1, SHARDS + 1)} - {str(killed), str(left_out)}
        until(lambda: {index for index, state in slurm.states(job).items() if state == "COMPLETED"} == others,
              pause=0.2, what="the end of the other workers")
        wait_for_a_part(workers)
        worker, = worker_processes(workers.store, killed)
        os.kill(worker, signal.SIGKILL)
        assert slurm.wait(job)[str(killed)] == "FAILED"
        missing = workers.shards(form="array", expect=1).out.strip()
        assert missing == f"{killed}-{left_out}"

        done = len(workers.records())
        collection.web.new_requests()
        collection.scripted.release.set()
        job = slurm.submit(f"--array={missing}", "shards.sbatch", cwd=folder, env=engine)
        site = slurm.submit(f"--dependency=afterany:{job}", "site.sbatch", cwd=folder, env=engine)
        assert slurm.wait(job) == {str(killed): "COMPLETED", str(left_out): "COMPLETED"}
        assert set(slurm.wait(site).values()) == {"COMPLETED"}
    finally:
        slurm.close()
    # The held photo is on the other server.
    assert len(collection.web.new_requests()) == PHOTOS - done - 1
    assert contents_of(folder / "public") == collection.alone
    assert "All 8 shards are complete." in (folder / "site.log").read_text()
    assert not list((tmp_path / "local").glob("gallerygen.*")), "workers remove their state"


def test_parallel_builds_the_site_of_one_machine_after_it_was_killed_with_its_worker(collection, engine, tmp_path):
    workers, killed = collection.workers, collection.held_in
    folder = work_folder(collection, tmp_path / "work", DEPLOY / "parallel/build")
    process = subprocess.Popen(
        [folder / "build"], env=engine, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True)
    try:
        collection.scripted.wait_for(collection.held)
        wait_for_a_part(workers)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    # Workers have process groups of their own.
    worker, = worker_processes(workers.store)
    os.kill(worker, signal.SIGKILL)
    until(lambda: not worker_processes(workers.store), what="the end of the worker")
    assert workers.shards(form="array", expect=1).out.strip() == f"{killed}-{SHARDS}"

    done = len(workers.records())
    collection.web.new_requests()
    collection.scripted.release.set()
    run = subprocess.run([folder / "build"], env=engine, capture_output=True, text=True, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout + run.stderr
    shards = [re.search(r" (\d)/8 ", line)[1] for line in (folder / "shards.log").read_text().splitlines()[1:]]
    assert shards == [str(index) for index in range(1, SHARDS + 1)], "each shard ran once to its end"
    assert len(collection.web.new_requests()) <= PHOTOS - done
    assert contents_of(folder / "public") == collection.alone


def test_parallel_shares_the_work_with_a_machine_that_it_reaches_by_ssh(collection, engine, ssh, tmp_path):
    collection.scripted.release.set()
    folder = work_folder(collection, tmp_path / "work", DEPLOY / "parallel/build")
    # What the other machine has in its own environment.
    ssh.configure(**{name: engine[name] for name in ("PATH", "SOURCE_DATE_EPOCH")})
    remote = ssh.environment()["RSYNC_RSH"] + " web"
    run = subprocess.run(
        [folder / "build"], env=engine | {"MACHINES": f"{remote},:"}, capture_output=True, text=True, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout + run.stderr
    jobs = [line.split("\t") for line in (folder / "shards.log").read_text().splitlines()[1:]]
    assert len(jobs) == SHARDS and {job[1] for job in jobs} == {remote, ":"}
    assert contents_of(folder / "public") == collection.alone


@pytest.fixture
def stand_in(tmp_path):
    """A folder for PATH in which gallerygen only prints its arguments, each on a line."""
    (tmp_path / "gallerygen").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "gallerygen").chmod(0o755)
    return {"PATH": f"{tmp_path}:{os.environ['PATH']}"}


def test_parallel_passes_on_paths_with_spaces(stand_in, tmp_path):
    (tmp_path / "a folder").mkdir()
    build = shutil.copy(DEPLOY / "parallel/build", tmp_path / "a folder")
    paths = {"STORE": str(tmp_path / "the store"), "STATE": str(tmp_path / "anna's state")}
    run = subprocess.run(
        [build], env=stand_in | paths | {"HOME": str(tmp_path), "SHARDS": "1", "MACHINES": ":"}, capture_output=True,
        text=True, timeout=TIMEOUT)
    assert run.returncode == 0, run.stderr
    arguments = ["build", "--shard", "1/1", "--store", paths["STORE"], "--state", paths["STATE"]]
    assert [line.removeprefix("1\t") for line in run.stdout.splitlines() if line.startswith("1\t")] == arguments


def test_pods_of_kubernetes_count_shards_from_one(stand_in):
    job = yaml.safe_load((DEPLOY / "kubernetes/shards.yaml").read_text())["spec"]
    container, = job["template"]["spec"]["containers"]
    command = [*container["command"], *container["args"]]
    given = [
        re.search(r"--shard\n(\S+)", subprocess.run(
            command, env=stand_in | {"JOB_COMPLETION_INDEX": str(index)}, capture_output=True, text=True).stdout)[1]
        for index in range(job["completions"])]
    assert given == [f"{index}/8" for index in range(1, 9)]


def test_the_matrix_of_ci_has_each_shard_once():
    workflow = yaml.safe_load((DEPLOY / "github-actions/gallery.yaml").read_text())
    job = workflow["jobs"]["shard"]
    assert job["strategy"]["matrix"]["shard"] == list(range(1, workflow["env"]["SHARDS"] + 1))
    assert job["strategy"]["fail-fast"] is False
    assert any('--shard "${{ matrix.shard }}/$SHARDS"' in step.get("run", "") for step in job["steps"])


def commands():
    """The commands of all files of Deploy."""
    found = []
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            text = re.sub(r"\\\n\s*(#\s+)?|\n\s+(?=--)", " ", path.read_text())
            for command in re.findall(r"gallerygen ((?:build|shards)\b[^\n|#)]*)", text):
                found.append(pytest.param(command, id=f"{path.name}: {command[:40]}"))
    return found


@pytest.mark.parametrize("command", commands())
def test_each_command_of_the_files_has_options_that_exist(gallery, command):
    options = set(re.findall(r"--[a-z][a-z-]*", command))
    known = gallery.run(command.split()[0], "--help").out
    assert options and all(re.search(rf"{option}\b", known) for option in options), options
