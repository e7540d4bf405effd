"""The attacks of hostile clients. Each attack is repeated as fast as possible until it is
stopped.

Each attack is given the house's port and addresses to connect from. An attack uses another
address whenever the house has blocked one, as an attacker with many machines would."""

import itertools
import os
import signal
import time

import peer

NOISE = bytes(range(32, 127)) * 300
PROBES = 25
CROWD = 20


def loopback_addresses(net):
    """Yields loopback addresses without end. Every attack has its own network `net`, so that no
    attack is blocked because of another."""
    for i in itertools.count():
        yield f"127.{net}.{i // 250 % 256}.{1 + i % 250}"


def repeat_attack(attack):
    """Repeats the attack. Whenever the house has blocked an address, the attack uses the next
    one."""

    def repeat_forever(port, sources):
        while True:
            try:
                attack(port, next(sources))
            except (peer.Closed, OSError):
                pass

    repeat_forever.__name__ = attack.__name__
    return repeat_forever


def keep_crowd_connected(attack):
    """Repeats the attack from many addresses, so that CROWD clients are connected at once.
    Replaces the oldest client five times a second."""

    def keep_connected(port, sources):
        crowd = []
        while True:
            try:
                crowd.append(attack(port, next(sources)))
            except (peer.Closed, OSError):
                pass
            if len(crowd) == CROWD:
                crowd.pop(0).close()
                time.sleep(0.2)

    keep_connected.__name__ = attack.__name__
    return keep_connected


@repeat_attack
def trigger_endless_loop(port, source):
    client = peer.Peer(port, source).sign_in_by_name().open_channel(packet=10)
    client.start_shell().read_until_closed()


@keep_crowd_connected
def stay_silent(port, source):
    return peer.Peer(port, source)


@keep_crowd_connected
def stop_during_handshake(port, source):
    client = peer.Peer(port, source)
    client.exchange_versions()
    client.send_kexinit()
    return client


@keep_crowd_connected
def read_nothing(port, source):
    client = peer.Peer(port, source, receive_bytes=2048).sign_in_by_name().open_channel()
    client.start_shell(500, 200)
    for i in range(40):
        client.send_channel_request("window-change", 400 + i, 150 + i % 2, 0, 0, reply=False)
    return client


@repeat_attack
def exchange_keys_endlessly(port, source):
    client = peer.Peer(port, source).sign_in_by_name().open_channel()
    while True:
        client.exchange_keys_again()


@repeat_attack
def probe_keys(port, source):
    client = peer.Peer(port, source).exchange_keys().request_service()
    blobs = [peer.build_message(0, "ssh-ed25519", os.urandom(32))[1:] for _ in range(PROBES)]
    for blob in blobs:
        client.send_auth_request("nobody", "publickey", False, "ssh-ed25519", blob)
        client.expect_message(peer.PK_OK, peer.AUTH_FAILURE)


@repeat_attack
def send_false_signatures(port, source):
    client = peer.Peer(port, source).exchange_keys().request_service()
    key = peer.make_key()
    while True:
        client.sign_in_with_key("nobody", key, session_id=bytes(32))


def open_connections_from_one_address(port, sources):
    """Opens a hundred connections a second from one address."""
    source, due = next(sources), time.monotonic()
    while True:
        try:
            peer.Peer(port, source).close()
        except OSError:
            pass
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))


@repeat_attack
def flood_with_input(port, source):
    client = peer.Peer(port, source).sign_in_by_name().open_channel().start_shell()
    while True:
        client.write(NOISE)
        client.ignore_waiting_messages()


def guess_passwords_of_new_names(port, sources):
    """Tries wrong passwords for new names, four clients at a time."""
    for _ in range(3):
        if os.fork() == 0:
            break
    guess = repeat_attack(guess_passwords)
    guess(port, sources)


def guess_passwords(port, source):
    client = peer.Peer(port, source).exchange_keys().request_service()
    while True:
        client.request_prompt("n" + os.urandom(6).hex())
        client.answer_prompt("not the right password")
        client.expect_message(peer.AUTH_FAILURE)


ALL = (
    trigger_endless_loop,
    stay_silent,
    stop_during_handshake,
    read_nothing,
    exchange_keys_endlessly,
    probe_keys,
    send_false_signatures,
    open_connections_from_one_address,
    flood_with_input,
    guess_passwords_of_new_names,
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
                self.attack(self.port, loopback_addresses(self.net))
            finally:
                os._exit(1)
        os.setpgid(self.pid, self.pid)
        return self

    def __exit__(self, *_):
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
