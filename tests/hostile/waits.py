#!/usr/bin/python3
"""What others wait while somebody has the core or the password workers do as much as it can:
waits.py [SAMPLES]

A row tells how long a sign-in by password takes, key exchange and all, and a request of a program
to its answer, first alone and then during each attack: six connections that keep on sending,
whatever they are answered; who is thrown out comes again from another address.
"""

import itertools
import json
import os
import statistics
import sys
import time

import accounts
import attacks
import house
import peer
import program

SETTINGS = "[door]\nlimit_loopback = yes\n"
ATTACKERS = 3  # connections per account, the greatest number allowed
BEGIN_S = 2
BURST, EVERY_S = 80, 2  # number of messages that one connection may send
NAMES, OTHER = ("mallory", "malvin"), "ada"
PACKET_BYTES, LINE_BYTES = 60000, 8000
VALUES = 250  # keys that a line may have besides `t` and `id`


def many_keys(size):
    """A request with as many keys as fit into that many bytes."""
    keys = {f"{i:x}": 0 for i in range(size // 8)}
    return json.dumps(keys, separators=(",", ":"))[1:-1].encode()


def stream(client, lines):
    """Sends as many requests at once as one connection may, all attackers at the same time, and
    again as soon as allowed. Reads the answers."""
    while True:
        time.sleep(EVERY_S - time.time() % EVERY_S)
        for line in itertools.islice(lines, BURST):
            client.write(line)
            client.peer.read_waiting()


def numbered(kind, rest):
    number = 1000
    while True:
        number += 1
        yield b'{"t":"%s","id":%d,%s}' % (kind, number, rest)


def from_many(begin):
    """Keeps that many connections of each account open, each in its own process, and replaces
    those that are disconnected."""

    def attack(port, sources):
        own = list(itertools.islice(sources, 250))
        for lane in range(ATTACKERS * len(NAMES)):
            if os.fork() == 0:
                mine = own[lane :: ATTACKERS * len(NAMES)]
                begin_again(begin, port, NAMES[lane % len(NAMES)], mine)
        os.wait()

    attack.__name__ = begin.__name__
    return attack


def begin_again(begin, port, name, sources):
    for source in itertools.cycle(sources):
        try:
            begin(port, source, name)
        except (peer.Closed, AssertionError, OSError):
            time.sleep(0.1)


def password_changes(port, source, name):
    """Sends the right old password and always the same new one."""
    client = program.Program(port, name, source=source)
    fields = json.dumps({"old": accounts.PASSWORD, "password": accounts.PASSWORD})[1:-1].encode()
    stream(client, numbered(b"password_set", fields))


def taken_key_sign_ups(port, source, _):
    """Unregistered clients with one key: one of them creates an account, the others try to."""
    key = peer.new_key()
    clients = [program.Program(port, "nobody-yet", key=key, source=source) for _ in range(2)]
    clients[0].ask("sign_up", name="n" + os.urandom(6).hex())
    clients[0].close()
    name = b"n" + os.urandom(6).hex().encode()
    fields = b'"name":"%s","password":"long enough to be one"' % name
    stream(clients[1], numbered(b"sign_up", fields))


def most_keys(port, source, name):
    """Lines as long as a packet that consist of keys, far more than a line may have."""
    client = program.Program(port, name, source=source)
    stream(client, numbered(b"ping", many_keys(PACKET_BYTES)))


def most_values(port, source, name):
    """As many keys as a line may have."""
    client = program.Program(port, name, source=source)
    stream(client, numbered(b"ping", many_keys(8 * VALUES)))


def long_lines(port, source, name):
    """One value as long as a line may be."""
    client = program.Program(port, name, source=source)
    stream(client, numbered(b"ping", b'"x":"' + b"x" * LINE_BYTES + b'"'))


ALL = (password_changes, taken_key_sign_ups, most_keys, most_values, long_lines)


class Waits:
    """Measures sign-ins and requests, in seconds."""

    def __init__(self, place, client, samples):
        self.sign_ins, self.requests = [], []
        self.sources = attacks.addresses(200)
        for i in range(samples):
            self.requests.append(self.ask(client))
            if i % 4 == 0:
                self.sign_ins.append(self.sign_in(place.port, self.sources))

    @staticmethod
    def ask(client):
        begin = time.monotonic()
        client.ask("ping")
        time.sleep(0.03)
        return time.monotonic() - begin - 0.03

    @staticmethod
    def sign_in(port, sources):
        """A client that is told that the house is busy tries again."""
        begin = time.monotonic()
        for source in sources:
            client = peer.Peer(port, source).exchange_keys().ask_service()
            is_refused = Waits.is_refused(client)
            client.close()
            if not is_refused:
                return time.monotonic() - begin
        raise AssertionError("refused too often")

    @staticmethod
    def is_refused(client):
        client.prompt(OTHER)
        client.answer(accounts.PASSWORD)
        return client.expect(peer.AUTH_SUCCESS, peer.AUTH_FAILURE)[0] == peer.AUTH_FAILURE

    def figures(self):
        pairs = (self.sign_ins, self.requests)
        return [f"{statistics.median(p) * 1000:.0f} / {max(p) * 1000:.0f}" for p in pairs]


HEAD = (
    "| while | sign-in alone | sign-in meanwhile | request alone | request meanwhile |\n"
    "|---|---|---|---|---|"
)


def row(name, alone, meanwhile):
    cells = [name.replace("_", " ")]
    for before, after in zip(alone.figures(), meanwhile.figures()):
        cells += [before, after]
    return "| " + " | ".join(cells) + " |"


def prepare(place):
    for name in (*NAMES, OTHER):
        accounts.sign_up(place.port, name)


class Attack(attacks.Attack):
    """Runs one of the attacks from its own addresses."""

    def __init__(self, begin, port):
        super().__init__(from_many(begin), port)
        self.net = 100 + ALL.index(begin)


def measure(place, samples, chosen=ALL):
    """For each attack: its name, and the waits alone and during the attack."""
    client = program.Program(place.port, OTHER, source="127.0.0.9")
    for attack in chosen:
        alone = Waits(place, client, samples)
        with Attack(attack, place.port):
            time.sleep(BEGIN_S)
            meanwhile = Waits(place, client, samples)
        yield attack, alone, meanwhile
    client.close()


def main(samples):
    place = house.House(SETTINGS)
    print("ms: median / worst")
    print(HEAD)
    try:
        prepare(place)
        for attack, alone, meanwhile in measure(place, samples):
            print(row(attack.__name__, alone, meanwhile), flush=True)
    finally:
        place.close(place.logged("reason=watchdog"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
