#!/usr/bin/python3
"""Tests whether the time of a refusal reveals that a name has an account: login_times.py
[ATTEMPTS]

Tries ATTEMPTS wrong passwords with names that have an account, and as many with names that have
none, in random order, two at a time. Compares the times of the refusals by the Mann-Whitney U
test. Equal times give a p of 0.01 or less in one of 100 runs, so after such a p the comparison
is repeated once. Two controls show that a difference would be noticed: the same times made
longer by a printed factor, and the refusals of a name that must wait after a wrong password."""

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
NAMES = 10  # number of names with an account, and number of names without one
LANES = 2  # number of parallel clients: as many as there are password workers
TRIES = 5  # attempts per connection; a sixth would end it
SETTINGS = "[door]\nbackoff_max_s = 1\n"
BACKOFF_S = 1.05
LEAKS = (1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5)


def rank_values(values):
    """Ranks the values from 1 on; equal values share the mean of their ranks. Returns the ranks
    and the sizes of ties."""
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


def compute_mann_whitney_p(first, second):
    """Computes the two-sided p by the normal approximation, with corrections for ties and
    continuity (Mann and Whitney 1947; Lehmann, Nonparametrics, 1.3)."""
    n, m = len(first), len(second)
    found, ties = rank_values(list(first) + list(second))
    u = sum(found[:n]) - n * (n + 1) / 2
    total = n + m
    spread = n * m / 12 * (total + 1 - sum(t**3 - t for t in ties) / (total * (total - 1)))
    if spread == 0:
        return 1.0
    z = max(0.0, abs(u - n * m / 2) - 0.5) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2))


class Guesser:
    """Tries wrong passwords over connections, one name after another."""

    def __init__(self, port):
        self.port, self.client, self.tries = port, None, 0

    def measure_refusal_ms(self, name):
        """Measures the milliseconds from the password to the refusal."""
        if self.client is None or self.tries == TRIES:
            self.close()
            self.client, self.tries = peer.Peer(self.port).exchange_keys().request_service(), 0
        self.tries += 1
        self.client.request_prompt(name)
        begin = time.monotonic()
        self.client.answer_prompt("not the right password")
        self.client.expect_message(peer.AUTH_FAILURE)
        return (time.monotonic() - begin) * 1000

    def close(self):
        if self.client is not None:
            self.client.close()


class Names:
    """Names with and without an account. After a wrong password, a name is not used again until
    the house accepts another attempt without delay."""

    def __init__(self, known, unknown):
        self.lists = {True: list(known), False: list(unknown)}
        self.rested = dict.fromkeys([*known, *unknown], 0.0)
        self.lock = threading.Lock()

    def take_rested_name(self, is_known):
        """Takes the name that was unused for longest, and waits until the house accepts another
        attempt with it."""
        with self.lock:
            name = self.lists[is_known].pop(0)
        time.sleep(max(0.0, self.rested[name] - time.monotonic()))
        return name

    def put_name_back(self, is_known, name):
        with self.lock:
            self.rested[name] = time.monotonic() + BACKOFF_S
            self.lists[is_known].append(name)


def run_client(port, names, known_flags, times):
    door = Guesser(port)
    for is_known in known_flags:
        name = names.take_rested_name(is_known)
        times[is_known].append(door.measure_refusal_ms(name))
        names.put_name_back(is_known, name)
    door.close()


def measure_refusals(port, attempts, names):
    """Measures `attempts` refusals of names with an account, and as many of other names."""
    times = {True: [], False: []}
    known_flags = [True, False] * attempts
    random.shuffle(known_flags)
    lanes = [
        threading.Thread(target=run_client, args=(port, names, known_flags[i::LANES], times))
        for i in range(LANES)
    ]
    for one in lanes:
        one.start()
    for one in lanes:
        one.join()
    if len(times[True]) + len(times[False]) != 2 * attempts:
        raise AssertionError("some attempts failed")
    return times[True], times[False]


def measure_delayed_refusals(port, name, count):
    """Measures how soon the house refuses a name that must still wait after a wrong password.
    These times differ from ordinary ones, so the test must notice them."""
    door = Guesser(port)
    door.measure_refusal_ms(name)
    times = []
    while len(times) < count:
        door.tries = TRIES  # so that each attempt uses a new connection
        times.append(door.measure_refusal_ms(name))
    door.close()
    return times


def find_smallest_detected_leak(times):
    """Finds the smallest factor in LEAKS that makes a difference detectable when half of the times
    are multiplied by it. Returns None if no factor is large enough."""
    half = len(times) // 2
    for leak in LEAKS:
        late = [time_ms * leak for time_ms in times[half:]]
        if compute_mann_whitney_p(times[:half], late) <= ALPHA:
            return leak
    return None


def print_report(title, first, second):
    p = compute_mann_whitney_p(first, second)
    medians = [f"{statistics.median(times):.2f} ms" for times in (first, second)]
    text = f"{title}: medians {medians[0]} and {medians[1]}, {len(first)} each, p = {p:.4g}"
    print(text, flush=True)
    return p


def compare_refusal_times(opened_house, attempts, known, unknown):
    """Returns whether refusals take equally long for known and unknown names, and whether a
    difference would be noticed."""
    names = Names(known, unknown)
    first, second = measure_refusals(opened_house.port, attempts, names)
    is_equal = print_report("known and unknown names", first, second) > ALPHA
    leak = find_smallest_detected_leak(random.sample(first + second, 2 * attempts))
    print(f"control: seen would be times {leak} times as long")
    time.sleep(BACKOFF_S)
    soon = measure_delayed_refusals(opened_house.port, known[0], min(20, attempts))
    is_seen = print_report("control: told to wait", first[: len(soon)], soon) <= ALPHA
    return is_equal, is_seen and leak is not None


def main(attempts):
    known = [f"known{chr(97 + i)}" for i in range(NAMES)]
    unknown = [f"other{chr(97 + i)}" for i in range(NAMES)]
    opened_house = house.House(SETTINGS)
    try:
        for name in known:
            accounts.sign_up(opened_house.port, name)
        is_equal, is_seen = compare_refusal_times(opened_house, attempts, known, unknown)
        if not is_equal and is_seen:
            is_equal, is_seen = compare_refusal_times(opened_house, attempts, known, unknown)
    finally:
        opened_house.close()
    return is_equal and is_seen


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 500) else 1)
