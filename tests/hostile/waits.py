#!/usr/bin/python3
"""Measures how long others wait while clients cause as much work for the core or the password
workers as they can: waits.py [SAMPLES]

A row says how long a sign-in by password takes, key exchange included, and how long a program
waits for the answer to a request, first alone and then during each attack. In an attack, six
connections keep sending requests, whatever the house answers. A client that is disconnected
connects again from another address."""

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
ATTACKERS = 3  # connections of each account: the greatest number that the house allows
BEGIN_S = 2
BURST, EVERY_S = 80, 2  # messages that a connection may send in EVERY_S seconds
NAMES, OTHER = ("mallory", "malvin"), "ada"
PACKET_BYTES, LINE_BYTES = 60000, 8000
VALUES = 250  # members that a request may have besides `t` and `id`


def build_members(size):
    """Builds as many JSON members of a request as fit into `size` bytes."""
    members = {f"{i:x}": 0 for i in range(size // 8)}
    return json.dumps(members, separators=(",", ":"))[1:-1].encode()


def send_bursts(client, lines):
    """Sends as many requests at once as a connection may, and again as soon as the house
    allows. All attackers send at the same moment. Reads the answers meanwhile."""
    while True:
        time.sleep(EVERY_S - time.time() % EVERY_S)
        for line in itertools.islice(lines, BURST):
            client.write_line(line)
            client.peer.ignore_waiting_messages()


def build_numbered_requests(kind, members):
    number = 1000
    while True:
        number += 1
        yield b'{"t":"%s","id":%d,%s}' % (kind, number, members)


def attack_from_many(attack_once):
    """Keeps ATTACKERS connections of each account open, each in its own process, and replaces
    those that are disconnected."""

    def attack(port, sources):
        own = list(itertools.islice(sources, 250))
        for lane in range(ATTACKERS * len(NAMES)):
            if os.fork() == 0:
                mine = own[lane :: ATTACKERS * len(NAMES)]
                repeat_attack(attack_once, port, NAMES[lane % len(NAMES)], mine)
        os.wait()

    attack.__name__ = attack_once.__name__
    return attack


def repeat_attack(attack_once, port, name, sources):
    for source in itertools.cycle(sources):
        try:
            attack_once(port, source, name)
        except (peer.Closed, AssertionError, OSError):
            time.sleep(0.1)


def change_passwords(port, source, name):
    """Changes the password again and again, with the right old password and always the same new
    password."""
    client = program.Program(port, name, source=source)
    fields = json.dumps({"old": accounts.PASSWORD, "password": accounts.PASSWORD})[1:-1].encode()
    send_bursts(client, build_numbered_requests(b"password_set", fields))


def sign_up_with_taken_key(port, source, _):
    """Two unregistered clients use one key: one of them creates an account, and the other tries
    to create one again and again."""
    key = peer.make_key()
    clients = [program.Program(port, "nobody-yet", key=key, source=source) for _ in range(2)]
    clients[0].request_and_wait("sign_up", name="n" + os.urandom(6).hex())
    clients[0].close()
    name = b"n" + os.urandom(6).hex().encode()
    fields = b'"name":"%s","password":"long enough to be one"' % name
    send_bursts(clients[1], build_numbered_requests(b"sign_up", fields))


def send_too_many_members(port, source, name):
    """Sends requests of a packet's greatest length, with far more members than a request may
    have."""
    client = program.Program(port, name, source=source)
    send_bursts(client, build_numbered_requests(b"ping", build_members(PACKET_BYTES)))


def send_most_members_allowed(port, source, name):
    """Sends requests with as many members as a request may have."""
    client = program.Program(port, name, source=source)
    send_bursts(client, build_numbered_requests(b"ping", build_members(8 * VALUES)))


def send_long_lines(port, source, name):
    """Sends requests in which one value has the greatest allowed length."""
    client = program.Program(port, name, source=source)
    send_bursts(client, build_numbered_requests(b"ping", b'"x":"' + b"x" * LINE_BYTES + b'"'))


ALL = (
    change_passwords,
    sign_up_with_taken_key,
    send_too_many_members,
    send_most_members_allowed,
    send_long_lines,
)


class Waits:
    """Measures how long sign-ins and requests take, in seconds."""

    def __init__(self, opened_house, client, samples):
        self.sign_ins, self.requests = [], []
        self.sources = attacks.loopback_addresses(200)
        for i in range(samples):
            self.requests.append(self.measure_request(client))
            if i % 4 == 0:
                self.sign_ins.append(self.measure_sign_in(opened_house.port, self.sources))

    @staticmethod
    def measure_request(client):
        begin = time.monotonic()
        client.request_and_wait("ping")
        time.sleep(0.03)
        return time.monotonic() - begin - 0.03

    @staticmethod
    def measure_sign_in(port, sources):
        """Measures how long a sign-in takes. A client that is told that the house is busy tries
        again."""
        begin = time.monotonic()
        for source in sources:
            client = peer.Peer(port, source).exchange_keys().request_service()
            is_refused = Waits.is_sign_in_refused(client)
            client.close()
            if not is_refused:
                return time.monotonic() - begin
        raise AssertionError("refused too often")

    @staticmethod
    def is_sign_in_refused(client):
        client.request_prompt(OTHER)
        client.answer_prompt(accounts.PASSWORD)
        return client.expect_message(peer.AUTH_SUCCESS, peer.AUTH_FAILURE)[0] == peer.AUTH_FAILURE

    def format_figures(self):
        pairs = (self.sign_ins, self.requests)
        return [f"{statistics.median(p) * 1000:.0f} / {max(p) * 1000:.0f}" for p in pairs]


HEAD = (
    "| while | sign-in alone | sign-in meanwhile | request alone | request meanwhile |\n"
    "|---|---|---|---|---|"
)


def format_row(name, alone, meanwhile):
    cells = [name.replace("_", " ")]
    for before, after in zip(alone.format_figures(), meanwhile.format_figures()):
        cells += [before, after]
    return "| " + " | ".join(cells) + " |"


def create_accounts(opened_house):
    for name in (*NAMES, OTHER):
        accounts.sign_up(opened_house.port, name)


class Attack(attacks.Attack):
    """Runs one of the attacks from its own addresses, during a `with` block."""

    def __init__(self, attack_once, port):
        super().__init__(attack_from_many(attack_once), port)
        self.net = 100 + ALL.index(attack_once)


def measure_attacks(opened_house, samples, chosen_attacks=ALL):
    """Yields each attack, the waiting times without an attack, and the waiting times during the
    attack."""
    client = program.Program(opened_house.port, OTHER, source="127.0.0.9")
    for attack in chosen_attacks:
        alone = Waits(opened_house, client, samples)
        with Attack(attack, opened_house.port):
            time.sleep(BEGIN_S)
            meanwhile = Waits(opened_house, client, samples)
        yield attack, alone, meanwhile
    client.close()


def main(samples):
    opened_house = house.House(SETTINGS)
    print("ms: median / worst")
    print(HEAD)
    try:
        create_accounts(opened_house)
        for attack, alone, meanwhile in measure_attacks(opened_house, samples):
            print(format_row(attack.__name__, alone, meanwhile), flush=True)
    finally:
        opened_house.close(opened_house.count_log_lines("reason=watchdog"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
