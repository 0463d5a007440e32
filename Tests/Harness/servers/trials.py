"""Runs the builds for the rows of the tables of misbehaving servers, many at once, since they mostly wait."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import connection_scripts
from gallery import Gallery, text_of
from misbehaving_server import MisbehavingServer
from misbehaviour import LIMITS, PHOTO, PICTURE, QUERY, Outcome, leftovers, photo_of


class Trials:
    """Runs the builds of each row with a gallery and a server of its own."""

    def __init__(self, rows, program, folder, certificates, network, workers=12):
        self.program, self.folder = program, Path(folder)
        self.certificates, self.network = certificates, network
        self.pool = ThreadPoolExecutor(workers)
        # The slowest trials start first.
        slowest_first = sorted(rows, key=lambda row: -row.seconds)
        self.running = {row.name: self.pool.submit(self._run, number, row) for number, row in enumerate(slowest_first)}
        assert len(self.running) == len(rows), "two rows have the same name"

    def outcome(self, row):
        return self.running[row.name].result()

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def _run(self, number, row):
        context = self.certificates.context(row.tls, row.protocols) if row.tls else None
        host = row.host or ("localhost" if row.tls else "127.0.0.1")
        with MisbehavingServer(row.script, context, host) as server:
            gallery = Gallery(self.folder / str(number), self.program)
            address = (row.address or server.url(PHOTO)).format(port=server.port) + QUERY
            gallery.list({"Photo": address})
            environment = dict(self.certificates.trusted)
            if row.names:
                environment |= self.network.environment(row.names)
            if row.is_proxy:
                environment |= {"http_proxy": f"http://127.0.0.1:{server.port}", "no_proxy": "localhost"}
            if row.from_url:
                with connection_scripts.manifest_server(gallery.manifest.read_bytes()) as manifests:
                    return self._builds(row, gallery, server, environment, [manifests.url("/photos.plist")])
            return self._builds(row, gallery, server, environment, [])

    def _builds(self, row, gallery, server, environment, manifest):
        limits = [text for name, value in (LIMITS | row.limits).items() for text in ("--" + name, value)]
        build = ("build", *manifest, *limits, "--widths", "48", *row.flags)

        def run(*more):
            return gallery.run(*build, *more, env=environment)

        outcome = Outcome(
            first=run(), photo=photo_of(gallery), requests=server.request_count(PHOTO), connections=server.connections,
            left=leftovers(gallery), site=text_of(gallery.site) if gallery.site.is_dir() else b"",
            strict=run("--strict", "--retries", "0"))
        if row.recovers:
            server.script = connection_scripts.answering(connection_scripts.ok(PICTURE))
            if "h2" in row.protocols or row.tls:
                server.tls = self.certificates.context("good")
            outcome.recovered = run("--strict")
            outcome.recovered_photo = photo_of(gallery)
            outcome.recovered_left = leftovers(gallery)
        return outcome
