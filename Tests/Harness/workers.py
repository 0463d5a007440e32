"""Workers that share the build of a gallery: each with a state folder of its own, as on a machine of its own, and one
store."""

import json

from gallery import STATUS_SCHEMA, contents_of

#: Pins the clock, so that two sites can be compared byte for byte.
CLOCK = {"SOURCE_DATE_EPOCH": "1700000000"}


class Workers:
    def __init__(self, gallery, of):
        """
        :param of: the number of shards
        """
        self.gallery = gallery
        self.of = of
        self.store = gallery.folder / "store"
        self.site = gallery.folder / "shared"

    def arguments(self, index, *options, machine=None):
        """The arguments of the worker on a shard, on a machine of its own unless `machine` names one."""
        state = self.gallery.folder / f"state-of-{machine or index}"
        return ["build", "--shard", f"{index}/{self.of}", "--store", self.store, "--state", state, *options]

    def work(self, *indices, options=(), machine=None, expect=0, env=None):
        """Runs the workers on shards, one after the other, and returns the last run. All shards if none is given."""
        for index in indices or range(1, self.of + 1):
            run = self.gallery.run(*self.arguments(index, *options, machine=machine), env=CLOCK | (env or {}))
            assert run.code == expect, f"shard {index}: exit {run.code}, expected {expect}:\n{run.output}"
        return run

    def start(self, index, *options, machine=None):
        """Starts a worker, and returns its process. The caller kills it at the end, whatever happens."""
        return self.gallery.program.start(
            *self.arguments(index, *options, machine=machine), cwd=self.gallery.folder, env=CLOCK)

    def publish(self, *options, expect=0, env=None):
        """Makes the site of what the store has."""
        run = self.gallery.run(
            "build", "--store", self.store, "--state", self.gallery.folder / "state-of-site", "--output", self.site,
            *options, env=CLOCK | (env or {}))
        assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
        if expect in (0, 1):
            STATUS_SCHEMA.validate(self.status())
        return run

    def alone(self, *options):
        """The files of the site that one machine makes, without a store."""
        site = self.gallery.folder / "alone"
        run = self.gallery.run(
            "build", "--output", site, "--state", self.gallery.folder / "state-alone", *options, env=CLOCK)
        assert run.code == 0, run.output
        return contents_of(site)

    def shards(self, *options, form=None, expect=0, env=None):
        form = ["--print", form] if form else []
        run = self.gallery.run(
            "shards", "--store", self.store, "--of", self.of, *form, *options, env=CLOCK | (env or {}))
        assert run.code == expect, f"exit {run.code}, expected {expect}:\n{run.output}"
        return run

    def status(self):
        return json.loads((self.site / "status.json").read_bytes())

    def states(self):
        """Name → state of each photo of the site."""
        return {photo["name"]: photo["state"] for photo in self.status()["photos"]}

    def records(self):
        """The records of single photos in the store."""
        return sorted((self.store / "photos").glob("*"))

    def pictures(self):
        return sorted((self.store / "images").iterdir())

    def members(self, *options):
        """Name of each photo → index of its shard, read from sites for which only one shard is complete."""
        members = {}
        for index in range(1, self.of + 1):
            alone = Workers(self.gallery, self.of)
            alone.store = self.gallery.folder / f"store-{index}"
            alone.work(index, options=options)
            # A shard can be without photos, which would empty the site of the one before.
            alone.publish("--allow-empty", *options)
            for name, state in alone.states().items():
                if state != "new":
                    assert name not in members, f"{name} is in two shards"
                    members[name] = index
        return members
