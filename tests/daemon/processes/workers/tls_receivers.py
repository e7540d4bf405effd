#!/usr/bin/python3
"""Receivers of webhooks on loopback that speak https, each with a different certificate:
tls_receivers.py AUTHORITY_FILE

Makes a certificate authority and writes its certificate to AUTHORITY_FILE. Prints the ports of the
receivers in the order of their certificates: a good one for localhost (root, intermediate,
leaf), one of an unknown authority, one for another host, an expired one. Each receiver answers
204."""
import datetime
import http.server
import os
import ssl
import sys
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.utcnow()


class Holder:
    """A key with its certificate, and the chain of certificates from it to a root."""

    def __init__(self, name, issuer=None, host=None, until=NOW + DAY):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = issuer or self
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(signer.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - 3 * DAY)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=host is None, path_length=None), True)
        )
        if host is not None:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, False)
        certificate = builder.sign(signer.key, hashes.SHA256())
        self.pem = certificate.public_bytes(serialization.Encoding.PEM)
        self.chain = self.pem + (issuer.chain if issuer else b"")

    def write_key_and_chain(self, path):
        key = self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        with open(path, "wb") as file:
            file.write(key + self.chain)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, holder, path):
        super().__init__(("127.0.0.1", 0), Receiver)
        holder.write_key_and_chain(path)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )

    def handle_error(self, *_):
        pass  # a client that does not trust the certificate closes the connection early


def main():
    root = Holder("Root of a house")
    middle = Holder("Intermediate of a house", root)
    stranger = Holder("Somebody else's root")
    holders = [
        Holder("localhost", middle, "localhost"),
        Holder("localhost", stranger, "localhost"),
        Holder("elsewhere.example", middle, "elsewhere.example"),
        Holder("localhost", middle, "localhost", NOW - DAY),
    ]
    with open(sys.argv[1], "wb") as file:
        file.write(root.pem)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "key.pem")
        servers = [Server(holder, path) for holder in holders]
    for server in servers:
        threading.Thread(target=server.serve_forever).start()
    print(*(server.server_address[1] for server in servers), flush=True)


main()
