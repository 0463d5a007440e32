"""Client configuration of requests: headers and passwords for one host, user agents, certificates."""

import os
import shutil
import socket
import ssl
import subprocess
import threading

import pytest
from pictures import jpeg
from scripted_server import Request, picture, redirect, response, status
from web_server import free_port, wait_for_connection


def settings(gallery, text):
    (gallery.folder / "gallerygen.yaml").write_text(text)
    return gallery


def everything_in(folder):
    return b"".join(
        path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "gallerygen.yaml"
    )


def needing(header, value):
    def script(connection, request):
        (picture(jpeg(1)) if request.headers.get(header) == value else status(401))(connection, request)

    return script


def test_a_token_goes_to_its_host_alone_and_nowhere_else(gallery, scripted):
    address = scripted.on("/private.jpg", needing("x-token", "t0k3n-s3cr3t"))
    elsewhere = scripted.on("/public.jpg", picture(jpeg(2))).replace("127.0.0.1", "localhost")
    settings(gallery, f"headers:\n  http://127.0.0.1:{scripted.port}:\n    X-Token: ${{CLUB_TOKEN}}-s3cr3t\n")
    gallery.list({"Private": address, "Public": elsewhere, "Gone": scripted.url("/gone.jpg")})
    run = gallery.build("--verbose", env={"CLUB_TOKEN": "t0k3n"})
    assert gallery.reasons() == {"Gone": "not-found"}
    sent = {request.path: request.headers.get("x-token") for request in scripted.requests}
    assert sent == {"/private.jpg": "t0k3n-s3cr3t", "/public.jpg": None, "/gone.jpg": "t0k3n-s3cr3t"}
    # A command that contacts no server works without the variable.
    said = run.said + gallery.run("status").said + gallery.run("status", "--json").said
    for secret in ("t0k3n", "s3cr3t"):
        assert secret not in said
        assert secret.encode() not in everything_in(gallery.folder)


@pytest.mark.quick
def test_a_redirect_takes_no_token_along(gallery, scripted):
    other = scripted.on("/other.jpg", picture(jpeg(1))).replace("127.0.0.1", "localhost")
    start = scripted.on("/start.jpg", redirect(other))
    settings(
        gallery,
        f"headers:\n  http://127.0.0.1:{scripted.port}:\n    Authorization: Bearer s3cr3t\n    X-Token: s3cr3t\n",
    )
    gallery.list({"Moved": start, "Other": other})
    gallery.build("--allow-private")
    # A redirect to another name of this machine is not followed; the other address is asked for itself.
    assert gallery.reasons() == {"Moved": "blocked-address"}
    sent = {request.path: (request.headers.get("authorization"), request.headers.get("x-token"))
            for request in scripted.requests}
    assert sent == {"/start.jpg": ("Bearer s3cr3t", "s3cr3t"), "/other.jpg": (None, None)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'headers:\n  example.org:\n    X-Token: "s3cr3t\\r\\nX-More: 1"\n',
            "gallerygen.yaml:3:5: headers: example.org: X-Token",
        ),
        ("headers:\n  example.org:\n    X-Token: s3cr3t${NO_SUCH_VARIABLE}\n", "NO_SUCH_VARIABLE"),
        ("headers:\n  http://example.org/:\n    X-Token: s3cr3t\n", "http://example.org/"),
        ("headers: s3cr3t\n", "gallerygen.yaml:1:"),
    ],
)
def test_headers_that_cannot_be_sent_are_78_and_the_value_is_not_shown(three_photos, text, words):
    settings(three_photos, text)
    for command in ("build", "check"):
        run = three_photos.run(command)
        assert run.code == 78
        assert words in run.err
        assert "s3cr3t" not in run.said


def test_the_user_agent_is_what_one_says(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1)))})
    gallery.build("--user-agent", "Club/2 (+https://club.example)")
    gallery.build("--max-age", "1ms", env={"GALLERYGEN_USER_AGENT": "Other/1"})
    gallery.build("--max-age", "1ms")
    agents = [request.headers["user-agent"] for request in scripted.requests]
    assert agents[:2] == ["Club/2 (+https://club.example)", "Other/1"]
    assert agents[2].startswith("gallerygen/")
    assert gallery.run("build", "--user-agent", "a\nb").code == 64


def test_netrc_is_read_only_if_asked_for(gallery, scripted, tmp_path):
    gallery.list({"One": scripted.on("/1.jpg", needing("authorization", "Basic am86czNjcjN0"))})
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text("machine 127.0.0.1 login jo password s3cr3t\n")
    gallery.build(env={"HOME": str(home)})
    assert gallery.reasons() == {"One": "forbidden"}
    run = gallery.build("--netrc", "--verbose", env={"HOME": str(home)})
    assert gallery.reasons() == {}
    assert "s3cr3t" not in run.said
    assert b"s3cr3t" not in everything_in(gallery.folder)
    run = gallery.build("--netrc", env={"HOME": str(tmp_path)})
    assert str(tmp_path / ".netrc") in run.err
    assert "HOME is not set to a folder" in gallery.build("--netrc", env={"HOME": ""}).err


@pytest.mark.parametrize("who", ["machine 127.0.0.1", "default"])
def test_netrc_does_not_make_a_redirect_one_to_a_user(gallery, scripted, tmp_path, who):
    """libcurl puts the user into the address from which a relative redirect is read."""
    (tmp_path / ".netrc").write_text(f"{who} login jo password s3cr3t\n")
    known = "Basic am86czNjcjN0"
    scripted.on("/end.jpg", needing("authorization", known))
    end = f"127.0.0.1:{scripted.port}/end.jpg"
    locations = {
        "Path": "/end.jpg",
        "Name": "end.jpg",
        "Host": f"//{end}",
        "Whole": f"http://{end}",
        "At": "/end.jpg?to=a@b",
        "User": f"http://eve@{end}",
        "Users host": f"//eve:pass@{end}",
        "Twin": f"http://jo:s3cr3t@{end}",
        "Nobody": f"http://@{end}",
    }
    gallery.list(
        {
            name: scripted.on(f"/{number}.jpg", redirect(location))
            for number, (name, location) in enumerate(locations.items())
        }
    )
    gallery.build("--netrc", "--retries", "0", env={"HOME": str(tmp_path)})
    assert gallery.reasons() == dict.fromkeys(["User", "Users host", "Twin", "Nobody"], "bad-address")
    assert "an address with a user name" in gallery.photos()["User"]["reason"]["message"]
    assert [
        request.headers.get("authorization") for request in scripted.requests if request.path.startswith("/end")
    ] == [known] * 5
    assert b"s3cr3t" not in everything_in(gallery.site)


def make_certificate(folder):
    """A key, and a certificate for localhost that vouches for itself."""
    folder.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem",
         "-out", folder / "own.pem"], check=True, capture_output=True)


@pytest.fixture
def secure(tmp_path):
    """An https server whose certificate its own file vouches for; yields its address and that file."""
    folder = tmp_path / "tls"
    make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem", folder / "key.pem")
    listener = socket.create_server(("127.0.0.1", 0), backlog=16)

    def serve():
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(raw, server_side=True) as connection:
                    if Request.read(connection):
                        connection.sendall(response(jpeg(1)))
            except OSError:
                pass  # the client does not trust us

    threading.Thread(target=serve, daemon=True).start()
    yield f"https://localhost:{listener.getsockname()[1]}/1.jpg", folder / "own.pem"
    listener.close()


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"])
def test_certificates_are_those_that_the_environment_names(gallery, secure, variable):
    address, certificate = secure
    gallery.list({"One": address})
    gallery.build("--retries", "0")
    assert gallery.reasons() == {"One": "tls"}
    if variable == "SSL_CERT_DIR":
        folder = certificate.with_name("hashed")
        folder.mkdir()
        shutil.copy(certificate, folder / "own.pem")
        subprocess.run(["openssl", "rehash", folder], check=True)
        certificate = folder
    gallery.build(env={variable: str(certificate)})
    assert gallery.reasons() == {}


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"])
def test_certificates_that_are_not_there_are_78(three_photos, variable, tmp_path):
    run = three_photos.build(env={variable: str(tmp_path / "none.pem")}, expect=78)
    assert variable in run.err and str(tmp_path / "none.pem") in run.err
    if variable != "SSL_CERT_DIR":
        (tmp_path / "empty.pem").write_text("")
        three_photos.build(env={variable: str(tmp_path / "empty.pem")}, expect=78)
    assert not three_photos.site.exists()


MULTIPLEXING = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 64; }}
http {{
    types {{ image/jpeg jpg; }}
    log_format answer "$connection $server_protocol $status";
    access_log {folder}/access.log answer;
    client_body_temp_path {folder}/tmp;
    proxy_temp_path {folder}/tmp; fastcgi_temp_path {folder}/tmp;
    uwsgi_temp_path {folder}/tmp; scgi_temp_path {folder}/tmp;
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {folder}/own.pem;
        ssl_certificate_key {folder}/key.pem;
        root {folder};
    }}
}}
"""


def test_where_http2_is_offered_all_photos_of_a_host_share_one_connection(gallery, tmp_path):
    folder, port = tmp_path / "h2", free_port()
    make_certificate(folder)
    for number in range(24):
        (folder / f"{number}.jpg").write_bytes(jpeg(number))
    (folder / "nginx.conf").write_text(MULTIPLEXING.format(folder=folder, port=port))
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin:/opt/homebrew/bin")
    server = subprocess.Popen([program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"])
    try:
        wait_for_connection(port, server)
        gallery.list({f"Photo {number}": f"https://localhost:{port}/{number}.jpg" for number in range(24)})
        gallery.build("--downloads-per-host", "12", env={"SSL_CERT_FILE": str(folder / "own.pem")})
    finally:
        server.terminate()
        server.wait(20)
    assert gallery.reasons() == {}
    answers = [line.split() for line in (folder / "access.log").read_text().splitlines()]
    assert [answer[1:] for answer in answers] == [["HTTP/2.0", "200"]] * 24
    assert len({connection for connection, *_ in answers}) == 1
