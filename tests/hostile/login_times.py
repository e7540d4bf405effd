#!/usr/bin/python3
"""Whether the time of a refusal tells if a name is somebody's: login_times.py [ATTEMPTS]

So many wrong passwords are tried with names of accounts and as many with others, in random order,
two at a time, and the times are compared by the Mann-Whitney U test. Equal times give a p of 0.01 or
less in one of 100 runs, so then it is done again. Two controls show that a difference would be
seen: the same times made longer, by how much is said, and the house's own answer to a name that has
to wait.
"""

import math
import random
import statistics
import sys
import threading
import time

import accounts
import house
import peer

ALPHA = 0.01
NAMES = 10  # attempts of each kind
LANES = 2  # as many as there are password workers
TRIES = 5  # attempts per connection; the sixth would be its last
SETTINGS = "[door]\nbackoff_max_s = 1\n"
BACKOFF_S = 1.05
LEAKS = (1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5)


def ranks(values):
    """The rank of each value from 1 on, where equal values share the mean of their ranks; and
    the sizes of ties."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, ties, at = [0.0] * len(values), [], 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in order[at:end]:
            found[i] = (at + 1 + end) / 2
        ties.append(end - at)
        at = end
    return found, ties


def mann_whitney_p(first, second):
    """The two-sided p by the normal approximation, with corrections for ties and continuity
    (Mann and Whitney 1947; Lehmann, Nonparametrics, 1.3)."""
    n, m = len(first), len(second)
    found, ties = ranks(list(first) + list(second))
    u = sum(found[:n]) - n * (n + 1) / 2
    total = n + m
    spread = n * m / 12 * (total + 1 - sum(t**3 - t for t in ties) / (total * (total - 1)))
    if spread == 0:
        return 1.0
    z = max(0.0, abs(u - n * m / 2) - 0.5) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2))


class Door:
    """Tries wrong passwords over connections, one name after another."""

    def __init__(self, port):
        self.port, self.client, self.tries = port, None, 0

    def attempt(self, name):
        """Milliseconds from the password to the refusal."""
        if self.client is None or self.tries == TRIES:
            self.close()
            self.client, self.tries = peer.Peer(self.port).exchange_keys().ask_service(), 0
        self.tries += 1
        self.client.prompt(name)
        begin = time.monotonic()
        self.client.answer("not the right password")
        self.client.expect(peer.AUTH_FAILURE)
        return (time.monotonic() - begin) * 1000

    def close(self):
        if self.client is not None:
            self.client.close()


class Names:
    """Names of both kinds. Each rests until its back-off is over."""

    def __init__(self, known, unknown):
        self.lists = {True: list(known), False: list(unknown)}
        self.rested = dict.fromkeys([*known, *unknown], 0.0)
        self.lock = threading.Lock()

    def take(self, is_known):
        """The name that has rested longest, once it has rested long enough."""
        with self.lock:
            name = self.lists[is_known].pop(0)
        time.sleep(max(0.0, self.rested[name] - time.monotonic()))
        return name

    def give(self, is_known, name):
        with self.lock:
            self.rested[name] = time.monotonic() + BACKOFF_S
            self.lists[is_known].append(name)


def lane(port, names, kinds, times):
    door = Door(port)
    for is_known in kinds:
        name = names.take(is_known)
        times[is_known].append(door.attempt(name))
        names.give(is_known, name)
    door.close()


def measure(port, attempts, names):
    """The times of that many attempts with each kind of name."""
    times = {True: [], False: []}
    kinds = [True, False] * attempts
    random.shuffle(kinds)
    lanes = [
        threading.Thread(target=lane, args=(port, names, kinds[i::LANES], times))
        for i in range(LANES)
    ]
    for one in lanes:
        one.start()
    for one in lanes:
        one.join()
    if len(times[True]) + len(times[False]) != 2 * attempts:
        raise AssertionError("some attempts failed")
    return times[True], times[False]


def waits(port, name, count):
    """The control: how soon the house refuses a name that has to wait."""
    door = Door(port)
    door.attempt(name)
    times = []
    while len(times) < count:
        door.tries = TRIES  # each over a new connection
        times.append(door.attempt(name))
    door.close()
    return times


def smallest_leak_seen(times):
    """The factor, of LEAKS, by which some times must be longer to be told apart; None: more
    than any of these."""
    half = len(times) // 2
    for leak in LEAKS:
        late = [time_ms * leak for time_ms in times[half:]]
        if mann_whitney_p(times[:half], late) <= ALPHA:
            return leak
    return None


def report(what, first, second):
    p = mann_whitney_p(first, second)
    medians = [f"{statistics.median(times):.2f} ms" for times in (first, second)]
    print(f"{what}: medians {medians[0]} and {medians[1]}, {len(first)} each, p = {p:.4g}", flush=True)
    return p


def compare(place, attempts, known, unknown):
    """Whether the times look equal, and a difference would be noticed."""
    names = Names(known, unknown)
    first, second = measure(place.port, attempts, names)
    is_equal = report("known and unknown names", first, second) > ALPHA
    leak = smallest_leak_seen(random.sample(first + second, 2 * attempts))
    print(f"control: seen would be times {leak} times as long")
    time.sleep(BACKOFF_S)
    soon = waits(place.port, known[0], min(20, attempts))
    is_seen = report("control: told to wait", first[: len(soon)], soon) <= ALPHA
    return is_equal, is_seen and leak is not None


def main(attempts):
    known = [f"known{chr(97 + i)}" for i in range(NAMES)]
    unknown = [f"other{chr(97 + i)}" for i in range(NAMES)]
    place = house.House(SETTINGS)
    try:
        for name in known:
            accounts.sign_up(place.port, name)
        is_equal, is_seen = compare(place, attempts, known, unknown)
        if not is_equal and is_seen:
            is_equal, is_seen = compare(place, attempts, known, unknown)
    finally:
        place.close()
    return is_equal and is_seen


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 500) else 1)
