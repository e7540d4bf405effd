"""What one hostile client after another does, as fast as it can, until it is stopped.

Each attack is given the house's port and addresses to come from: with another one every time it is
what many machines together would do, since the house keeps a single one out soon.
"""

import itertools
import os
import signal
import time

import peer

NOISE = bytes(range(32, 127)) * 300
PROBES = 25
CROWD = 20


def addresses(net):
    """Loopback addresses, in a loop. Every attack has its own network, so that no attack is
    blocked because of another."""
    for i in itertools.count():
        yield f"127.{net}.{i // 250 % 256}.{1 + i % 250}"


def again_and_again(attack):
    """Repeats the attack, from the next address whenever the house has blocked the last one."""

    def repeat(port, sources):
        while True:
            try:
                attack(port, next(sources))
            except (peer.Closed, OSError):
                pass

    repeat.__name__ = attack.__name__
    return repeat


def held(attack):
    """Runs a crowd of such clients at once and replaces those that are disconnected."""

    def hold(port, sources):
        crowd = []
        while True:
            try:
                crowd.append(attack(port, next(sources)))
            except (peer.Closed, OSError):
                pass
            if len(crowd) == CROWD:
                crowd.pop(0).close()
                time.sleep(0.2)

    hold.__name__ = attack.__name__
    return hold


@again_and_again
def endless_loop(port, source):
    peer.Peer(port, source).enter().opened(packet=10).start().read_until_closed()


@held
def silent(port, source):
    return peer.Peer(port, source)


@held
def half_a_handshake(port, source):
    client = peer.Peer(port, source)
    client.greet()
    client.send_kexinit()
    return client


@held
def reads_nothing(port, source):
    client = peer.Peer(port, source, receive_bytes=2048).enter().opened().start(500, 200)
    for i in range(40):
        client.request("window-change", 400 + i, 150 + i % 2, 0, 0, reply=False)
    return client


@again_and_again
def key_exchanges(port, source):
    client = peer.Peer(port, source).enter().opened()
    while True:
        client.rekey()


@again_and_again
def key_probes(port, source):
    client = peer.Peer(port, source).exchange_keys().ask_service()
    blobs = [peer.message(0, "ssh-ed25519", os.urandom(32))[1:] for _ in range(PROBES)]
    for blob in blobs:
        client.ask("nobody", "publickey", False, "ssh-ed25519", blob)
        client.expect(peer.PK_OK, peer.AUTH_FAILURE)


@again_and_again
def false_signatures(port, source):
    client = peer.Peer(port, source).exchange_keys().ask_service()
    key = peer.new_key()
    while True:
        client.sign("nobody", key, session_id=bytes(32))


def connections_of_one(port, sources):
    """A hundred connections a second from one address."""
    source, due = next(sources), time.monotonic()
    while True:
        try:
            peer.Peer(port, source).close()
        except OSError:
            pass
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))


@again_and_again
def input_flood(port, source):
    client = peer.Peer(port, source).enter().opened().start()
    while True:
        client.write(NOISE)
        client.read_waiting()


def passwords(port, sources):
    """Wrong passwords for ever new names, four clients at a time."""
    for _ in range(3):
        if os.fork() == 0:
            break
    guess = again_and_again(guess_passwords)
    guess(port, sources)


def guess_passwords(port, source):
    client = peer.Peer(port, source).exchange_keys().ask_service()
    while True:
        client.prompt("n" + os.urandom(6).hex())
        client.answer("not the right password")
        client.expect(peer.AUTH_FAILURE)


ALL = (
    endless_loop,
    silent,
    half_a_handshake,
    reads_nothing,
    key_exchanges,
    key_probes,
    false_signatures,
    connections_of_one,
    input_flood,
    passwords,
)


class Attack:
    """Runs the attack in its own process group for the duration of a `with` block."""

    def __init__(self, attack, port):
        self.attack, self.port, self.pid = attack, port, 0
        self.net = 10 + ALL.index(attack) if attack in ALL else 0

    def __enter__(self):
        self.pid = os.fork()
        if self.pid == 0:
            os.setpgid(0, 0)
            try:
                self.attack(self.port, addresses(self.net))
            finally:
                os._exit(1)
        os.setpgid(self.pid, self.pid)
        return self

    def __exit__(self, *_):
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
