"""An SSH client that sends whatever a test tells it to, right or wrong, one message at a time.

paramiko builds and reads the messages. The packets around them are made here, since paramiko's
own transport would not send most of what the tests need. One cipher and one key exchange are
enough."""

import hashlib
import io
import os
import select
import socket
import struct
import time

import paramiko
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

DISCONNECT, IGNORE, UNIMPLEMENTED, DEBUG, SERVICE_REQUEST, SERVICE_ACCEPT, EXT_INFO = range(1, 8)
KEXINIT, NEWKEYS, KEX_INIT, KEX_REPLY = 20, 21, 30, 31
AUTH_REQUEST, AUTH_FAILURE, AUTH_SUCCESS, AUTH_BANNER = range(50, 54)
PK_OK = INFO_REQUEST = 60
INFO_RESPONSE = 61
GLOBAL_REQUEST, REQUEST_SUCCESS, REQUEST_FAILURE = range(80, 83)
OPEN, OPEN_CONFIRMATION, OPEN_FAILURE, WINDOW_ADJUST, DATA, EXTENDED_DATA, EOF, CLOSE = range(90, 98)
CHANNEL_REQUEST, CHANNEL_SUCCESS, CHANNEL_FAILURE = range(98, 101)

DEADLINE_S = 20
CIPHER = "aes256-gcm@openssh.com"
LISTS = {
    "kex": "curve25519-sha256,kex-strict-c-v00@openssh.com",
    "host_key": "ssh-ed25519",
    "cipher_out": CIPHER,
    "cipher_in": CIPHER,
    "mac_out": "hmac-sha2-256-etm@openssh.com",
    "mac_in": "hmac-sha2-256-etm@openssh.com",
    "compression_out": "none",
    "compression_in": "none",
    "language_out": "",
    "language_in": "",
}


class Closed(Exception):
    """Raised when the house has closed the connection; the argument is the house's last message."""


class Raw(bytes):
    """A field that is sent without encoding."""


def build_message(number, *fields):
    """Builds the bytes of an SSH message: a text becomes a string, a number a uint32, a bool a
    byte."""
    out = paramiko.Message()
    out.add_byte(bytes([number]))
    for field in fields:
        if isinstance(field, Raw):
            out.add_bytes(field)
        elif isinstance(field, bool):
            out.add_boolean(field)
        elif isinstance(field, int):
            out.add_bytes(struct.pack(">I", field))
        else:
            out.add_string(field)
    return out.asbytes()


def make_key():
    """Makes a new ed25519 key as an object of the paramiko library."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.OpenSSH,
        serialization.NoEncryption(),
    )
    return paramiko.Ed25519Key.from_private_key(io.StringIO(pem.decode()))


class Direction:
    """The cipher of one direction of a connection: aes256-gcm as in OpenSSH's PROTOCOL file."""

    def __init__(self, key, initial_vector):
        self.cipher, self.fixed = AESGCM(key), initial_vector[:4]
        self.count = int.from_bytes(initial_vector[4:], "big")

    def next_nonce(self):
        nonce = self.fixed + self.count.to_bytes(8, "big")
        self.count = (self.count + 1) % (1 << 64)
        return nonce


class Peer:
    """One connection, which sends nothing unless a method is called."""

    def __init__(self, port, source="127.0.0.1", receive_bytes=None):
        self.socket = socket.socket()
        if receive_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(DEADLINE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))
        self.buffer = bytearray()
        self.version, self.house_version = b"SSH-2.0-hostile", b""
        self.out = self.into = self.session_id = None
        self.house_kexinit = b""
        self.is_deaf = False  # whether arriving data are encrypted with unknown keys

    def close(self):
        self.socket.close()

    # Sending and receiving bytes

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed("gone") from error

    def read_at_least(self, count, deadline):
        """Reads until the buffer holds at least `count` bytes."""
        while len(self.buffer) < count:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise TimeoutError("the house says nothing")
            try:
                got = self.socket.recv(65536)
            except ConnectionResetError:
                got = b""
            if not got:
                raise Closed(bytes(self.buffer[-200:]))
            self.buffer += got

    def take_bytes(self, count):
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    # Building, sending and receiving packets

    def build_packet(self, payload, padding=None):
        """Builds the packet that carries a message, encrypted if there are keys."""
        block = 8 if self.out is None else 16
        if padding is None:
            head = 5 if self.out is None else 1
            padding = block - (head + len(payload)) % block
            padding += block if padding < 4 else 0
        length = struct.pack(">I", 1 + len(payload) + padding)
        body = bytes([padding]) + payload + bytes(padding)
        if self.out is None:
            return length + body
        return length + self.out.cipher.encrypt(self.out.next_nonce(), body, length)

    def send(self, number, *fields):
        self.send_bytes(self.build_packet(build_message(number, *fields)))

    def receive_any(self, timeout=DEADLINE_S):
        """Receives the next message. Returns the message's number, and its payload."""
        deadline = time.monotonic() + timeout
        while self.is_deaf:
            self.buffer.clear()
            self.read_at_least(1, deadline)
        self.read_at_least(4, deadline)
        (length,) = struct.unpack(">I", self.buffer[:4])
        if length > 1 << 18:
            raise Closed(bytes(self.buffer[:200]))
        tag = 0 if self.into is None else 16
        self.read_at_least(4 + length + tag, deadline)
        head, body = self.take_bytes(4), self.take_bytes(length + tag)
        if self.into is not None:
            try:
                body = self.into.cipher.decrypt(self.into.next_nonce(), body, head)
            except InvalidTag as error:
                raise AssertionError("the house's packet does not fit its keys") from error
        payload = body[1 : len(body) - body[0]]
        self.is_deaf = self.into is None and payload[0] == NEWKEYS
        return payload[0], payload

    def receive_and_answer(self, timeout=DEADLINE_S):
        """Receives the next message, and refuses a global request. Returns the message's number and its
        content; None for a message that needs no reaction. Raises Closed when the house disconnects."""
        number, payload = self.receive_any(timeout)
        content = paramiko.Message(payload[1:])
        if number == DISCONNECT:
            content.get_int()
            raise Closed(content.get_string())
        if number == GLOBAL_REQUEST:
            self.send(REQUEST_FAILURE)
        return None if number in (GLOBAL_REQUEST, IGNORE, DEBUG, EXT_INFO, AUTH_BANNER) else (number, content)

    def receive(self, timeout=DEADLINE_S):
        """Receives the next message that needs a reaction, like receive_and_answer."""
        deadline = time.monotonic() + timeout
        while (message := self.receive_and_answer(deadline - time.monotonic())) is None:
            pass
        return message

    def expect_message(self, *numbers):
        """Receives the next message, whose number must be one of these."""
        number, rest = self.receive()
        if number not in numbers:
            raise AssertionError(f"message {number} came, not one of {numbers}")
        return number, rest

    def ignore_waiting_messages(self):
        """Reads and ignores the messages that have arrived; answers keepalives."""
        while self.buffer or select.select([self.socket], [], [], 0)[0]:
            self.receive_and_answer()

    def read_until_closed(self, timeout=DEADLINE_S):
        """Reads until the house closes the connection. Returns the numbers of all messages
        received."""
        numbers, deadline = [], time.monotonic() + timeout
        try:
            while True:
                numbers.append(self.receive(deadline - time.monotonic())[0])
        except Closed:
            return numbers

    # Key exchange

    def exchange_versions(self):
        """Exchanges the version lines."""
        self.send_bytes(self.version + b"\r\n")
        self.read_version()

    def read_version(self):
        deadline = time.monotonic() + DEADLINE_S
        while b"\n" not in self.buffer:
            self.read_at_least(len(self.buffer) + 1, deadline)
        self.house_version = self.take_bytes(self.buffer.index(b"\n") + 1).rstrip(b"\r\n")
        if not self.house_version.startswith(b"SSH-2.0-"):
            raise Closed(self.house_version)

    @staticmethod
    def build_kexinit(**changes):
        lists = {**LISTS, **changes}
        return build_message(KEXINIT, Raw(os.urandom(16)), *lists.values(), False, 0)

    def send_kexinit(self, **changes):
        """Sends our KEXINIT; its bytes are needed for the hash of the exchange."""
        self.own_kexinit = self.build_kexinit(**changes)
        self.send_bytes(self.build_packet(self.own_kexinit))

    def read_kexinit(self, skip=False):
        """Reads the house's KEXINIT; `skip` ignores what the house sent before it."""
        number, payload = self.receive_any()
        while skip and number not in (KEXINIT, DISCONNECT):
            number, payload = self.receive_any()
        if number != KEXINIT:
            raise Closed(payload[5:])
        self.house_kexinit = payload

    def send_key_share(self):
        self.secret = X25519PrivateKey.generate()
        self.public = self.secret.public_key().public_bytes(
            serialization.Encoding.Raw, serialization.PublicFormat.Raw
        )
        self.send(KEX_INIT, self.public)

    def read_key_reply(self):
        """Reads the house's key share and signature. Returns the exchange hash and the shared
        secret as mpint."""
        _, rest = self.expect_message(KEX_REPLY)
        host_key, theirs, signature = rest.get_string(), rest.get_string(), rest.get_string()
        shared = self.secret.exchange(X25519PublicKey.from_public_bytes(theirs))
        number = paramiko.Message()
        number.add_mpint(int.from_bytes(shared, "big"))
        fields = (self.version, self.house_version, self.own_kexinit, self.house_kexinit)
        fields += (host_key, self.public, theirs)
        text = build_message(0, *fields)[1:] + number.asbytes()
        digest = hashlib.sha256(text).digest()
        key = paramiko.Ed25519Key(data=host_key)
        if not key.verify_ssh_sig(digest, paramiko.Message(signature)):
            raise AssertionError("the host's signature is wrong")
        return digest, number.asbytes()

    def derive_ciphers(self, digest, secret):
        """Derives the new keys of both directions."""
        if self.session_id is None:
            self.session_id = digest

        def derive_key(letter, size):
            text = secret + digest + letter + self.session_id
            return hashlib.sha256(text).digest()[:size]

        ours = Direction(derive_key(b"C", 32), derive_key(b"A", 12))
        return ours, Direction(derive_key(b"D", 32), derive_key(b"B", 12))

    def switch_to_new_keys(self):
        digest, secret = self.read_key_reply()
        ours, theirs = self.derive_ciphers(digest, secret)
        self.send(NEWKEYS)
        self.out = ours
        self.expect_message(NEWKEYS)
        self.into, self.is_deaf = theirs, False

    def exchange_keys(self):
        """Carries out the first key exchange correctly."""
        self.exchange_versions()
        self.send_kexinit()
        self.read_kexinit()
        self.send_key_share()
        self.switch_to_new_keys()
        return self

    def exchange_keys_again(self):
        """Exchanges keys once more. Ignores other messages from the house meanwhile."""
        self.send_kexinit()
        self.read_kexinit(skip=True)
        self.send_key_share()
        self.switch_to_new_keys()

    # Signing in

    def request_service(self, service="ssh-userauth"):
        self.send(SERVICE_REQUEST, service)
        self.expect_message(SERVICE_ACCEPT)
        return self

    def send_auth_request(self, user, method, *fields, service="ssh-connection"):
        self.send(AUTH_REQUEST, user, service, method, *fields)

    def sign_in_with_key(self, name, key, **changes):
        """Signs in with a key; `changes` replace values in the signed data."""
        said = {"session_id": self.session_id, "user": name, "service": "ssh-connection"}
        said = {**said, "signer": key, "offered": key, **changes}
        blob = said["offered"].asbytes()
        fields = ("publickey", True, said["offered"].get_name(), blob)
        text = build_message(0, said["session_id"])[1:]
        text += build_message(AUTH_REQUEST, said["user"], said["service"], *fields)
        signature = said["signer"].sign_ssh_data(text).asbytes()
        self.send_auth_request(name, *fields, signature)

    def sign_in_by_name(self, user="guest"):
        """Exchanges keys and signs in with a name only (method `none`)."""
        self.exchange_keys().request_service().send_auth_request(user, "none")
        self.expect_message(AUTH_SUCCESS)
        return self

    def request_prompt(self, user):
        """Requests a keyboard-interactive prompt."""
        self.send_auth_request(user, "keyboard-interactive", "", "")
        return self.expect_message(INFO_REQUEST)

    def answer_prompt(self, *answers):
        self.send(INFO_RESPONSE, len(answers), *answers)

    # Using a channel

    def request_channel(self, window=1 << 30, packet=32768, kind="session"):
        self.send(OPEN, kind, 0, window, packet)

    def open_channel(self, **options):
        self.request_channel(**options)
        _, rest = self.expect_message(OPEN_CONFIRMATION)
        rest.get_int()
        self.channel = rest.get_int()
        return self

    def send_channel_request(self, kind, *fields, reply=True):
        self.send(CHANNEL_REQUEST, self.channel, kind, reply, *fields)

    def start_shell(self, columns=80, rows=24):
        """Requests a terminal and a shell, without waiting for an answer."""
        self.send_channel_request("pty-req", "xterm-256color", columns, rows, 0, 0, "", reply=False)
        self.send_channel_request("shell", reply=False)
        return self

    def write(self, data):
        self.send(DATA, self.channel, data)
