"""Client configuration of requests: headers and passwords for one host, user agents, certificates."""

import shutil
import socket
import ssl
import subprocess

import pytest
from connections import serve_each
from pictures import jpeg
from scripted_server import Request, picture, redirect, response, status
from waiting import TIMEOUT
from web_server import free_port, start_nginx


def write_settings(gallery, text):
    (gallery.folder / "gallerygen.yaml").write_text(text)
    return gallery


def everything_in(folder):
    return b"".join(
        path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "gallerygen.yaml"
    )


def requiring(header, value):
    """Sends a picture if the request has this header, and 401 otherwise."""
    def script(connection, request):
        (picture(jpeg(1)) if request.headers.get(header) == value else status(401))(connection, request)

    return script


def test_a_token_is_sent_only_to_its_host_and_never_shown(gallery, scripted):
    address = scripted.on("/private.jpg", requiring("x-token", "t0k3n-s3cr3t"))
    elsewhere = scripted.on("/public.jpg", picture(jpeg(2))).replace("127.0.0.1", "localhost")
    write_settings(gallery, f"headers:\n  http://127.0.0.1:{scripted.port}:\n    X-Token: ${{CLUB_TOKEN}}-s3cr3t\n")
    gallery.list({"Private": address, "Public": elsewhere, "Gone": scripted.url("/gone.jpg")})
    run = gallery.build("--verbose", env={"CLUB_TOKEN": "t0k3n"})
    assert gallery.reasons() == {"Gone": "not-found"}
    sent = {request.path: request.headers.get("x-token") for request in scripted.requests}
    assert sent == {"/private.jpg": "t0k3n-s3cr3t", "/public.jpg": None, "/gone.jpg": "t0k3n-s3cr3t"}
    # Commands that contact no server work without the variable.
    output = run.output + gallery.run("status").output + gallery.run("status", "--json").output
    for secret in ("t0k3n", "s3cr3t"):
        assert secret not in output
        assert secret.encode() not in everything_in(gallery.folder)


@pytest.mark.quick
def test_a_redirect_to_another_host_is_requested_without_the_token(gallery, scripted):
    other = scripted.on("/other.jpg", picture(jpeg(1))).replace("127.0.0.1", "localhost")
    start = scripted.on("/start.jpg", redirect(other))
    write_settings(
        gallery,
        f"headers:\n  http://127.0.0.1:{scripted.port}:\n    Authorization: Bearer s3cr3t\n    X-Token: s3cr3t\n",
    )
    gallery.list({"Moved": start, "Other": other})
    gallery.build("--allow-private")
    # A redirect to another name of this machine is refused. The list itself may name that address.
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
def test_invalid_header_settings_exit_with_78_and_their_values_are_not_shown(three_photos, text, words):
    write_settings(three_photos, text)
    for command in ("build", "check"):
        run = three_photos.run(command)
        assert run.code == 78
        assert words in run.err
        assert "s3cr3t" not in run.output


def test_the_user_agent_can_be_set(gallery, scripted):
    gallery.list({"One": scripted.on("/1.jpg", picture(jpeg(1)))})
    gallery.build("--user-agent", "Club/2 (+https://club.example)")
    gallery.build("--max-age", "1ms", env={"GALLERYGEN_USER_AGENT": "Other/1"})
    gallery.build("--max-age", "1ms")
    agents = [request.headers["user-agent"] for request in scripted.requests]
    assert agents[:2] == ["Club/2 (+https://club.example)", "Other/1"]
    assert agents[2].startswith("gallerygen/")
    assert gallery.run("build", "--user-agent", "a\nb").code == 64


def test_netrc_is_read_only_with_the_option(gallery, scripted, tmp_path):
    gallery.list({"One": scripted.on("/1.jpg", requiring("authorization", "Basic am86czNjcjN0"))})
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text("machine 127.0.0.1 login jo password s3cr3t\n")
    gallery.build(env={"HOME": str(home)})
    assert gallery.reasons() == {"One": "forbidden"}
    run = gallery.build("--netrc", "--verbose", env={"HOME": str(home)})
    assert gallery.reasons() == {}
    assert "s3cr3t" not in run.output
    assert b"s3cr3t" not in everything_in(gallery.folder)
    run = gallery.build("--netrc", env={"HOME": str(tmp_path)})
    assert str(tmp_path / ".netrc") in run.err
    assert "HOME is not set to a folder" in gallery.build("--netrc", env={"HOME": ""}).err


@pytest.mark.parametrize("who", ["machine 127.0.0.1", "default"])
def test_with_netrc_only_redirects_that_name_a_user_themselves_are_refused(gallery, scripted, tmp_path, who):
    """libcurl adds the user of .netrc to the URL against which it resolves a relative redirect."""
    (tmp_path / ".netrc").write_text(f"{who} login jo password s3cr3t\n")
    known = "Basic am86czNjcjN0"
    scripted.on("/end.jpg", requiring("authorization", known))
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
    """Writes a key and a self-signed certificate for localhost."""
    folder.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem",
         "-out", folder / "own.pem"], check=True, capture_output=True)


@pytest.fixture
def secure(tmp_path):
    """An https server with a self-signed certificate; yields an address and the certificate's file."""
    folder = tmp_path / "tls"
    make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem", folder / "key.pem")
    listener = socket.create_server(("127.0.0.1", 0), backlog=16)

    def serve(accepted):
        try:
            with context.wrap_socket(accepted, server_side=True) as connection:
                if Request.read(connection):
                    connection.sendall(response(jpeg(1)))
        except OSError:
            pass  # the client does not trust the certificate

    serve_each(listener, serve)
    yield f"https://localhost:{listener.getsockname()[1]}/1.jpg", folder / "own.pem"
    listener.close()


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"])
def test_certificates_named_in_the_environment_are_trusted(gallery, secure, variable):
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
def test_missing_or_empty_certificate_files_exit_with_78(three_photos, variable, tmp_path):
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


def test_with_http2_all_photos_of_a_host_share_one_connection(gallery, tmp_path):
    folder, port = tmp_path / "h2", free_port()
    make_certificate(folder)
    for number in range(24):
        (folder / f"{number}.jpg").write_bytes(jpeg(number))
    server = start_nginx(folder, MULTIPLEXING.format(folder=folder, port=port), port)
    try:
        gallery.list({f"Photo {number}": f"https://localhost:{port}/{number}.jpg" for number in range(24)})
        gallery.build("--downloads-per-host", "12", env={"SSL_CERT_FILE": str(folder / "own.pem")})
    finally:
        server.terminate()
        server.wait(TIMEOUT)
    assert gallery.reasons() == {}
    answers = [line.split() for line in (folder / "access.log").read_text().splitlines()]
    assert [answer[1:] for answer in answers] == [["HTTP/2.0", "200"]] * 24
    assert len({connection for connection, *_ in answers}) == 1
