"""A certificate authority for the tests, with certificates that are valid or invalid in one way each."""

import datetime
import functools
import ssl

import trustme


class Certificates:
    """TLS contexts for servers at localhost. The program trusts only the authority in `bundle`."""

    def __init__(self, folder):
        self.authority = trustme.CA()
        self.untrusted_authority = trustme.CA()
        self.bundle = folder / "authority.pem"
        self.authority.cert_pem.write_to_path(str(self.bundle))

    @property
    def trusted(self):
        """The environment in which the program trusts the authority."""
        return {"CURL_CA_BUNDLE": str(self.bundle)}

    @functools.cache
    def context(self, kind, protocols=("http/1.1",)):
        now = datetime.datetime.now(datetime.timezone.utc)
        day = datetime.timedelta(days=1)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(list(protocols))
        if kind == "self-signed":
            self._use(context, self.untrusted_authority.cert_pem, self.untrusted_authority.private_key_pem)
            return context
        certificate = {
            "good": lambda: self.authority.issue_cert("localhost", "photos.example.com"),
            "expired": lambda: self.authority.issue_cert("localhost", not_before=now - 9 * day, not_after=now - day),
            "not yet valid": lambda: self.authority.issue_cert(
                "localhost", not_before=now + day, not_after=now + 9 * day
            ),
            "wrong name": lambda: self.authority.issue_cert("elsewhere.example"),
            "unknown authority": lambda: self.untrusted_authority.issue_cert("localhost"),
        }[kind]()
        certificate.configure_cert(context)
        return context

    @staticmethod
    def _use(context, certificate, key):
        with certificate.tempfile() as certificate_file, key.tempfile() as key_file:
            context.load_cert_chain(certificate_file, key_file)
