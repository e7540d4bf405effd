#!/usr/bin/python3
"""What others notice of a hostile client: figures.py [SAMPLES]

A guest types and speaks in the lobby, first alone and then while each attack goes on. A row says
how long a key takes to its letter on the screen, and a line from Enter to the chat, where it is once
the house has committed it. The limits are the defaults, for loopback too. The attackers use the same
machine: what their own work takes from the house is in the figures.
"""

import os
import signal
import statistics
import sys
import time

import attacks
import house
import player

SETTINGS = "[door]\nlimit_loopback = yes\n[chat]\nburst = 1000\ninterval_ms = 1\n"
BEGIN_S = 1  # until the attack has reached its full strength
STOP_S = 0.3


class Times:
    """Measures keys and lines, in seconds."""

    def __init__(self, guest, samples):
        self.keys, self.lines, self.come = [], [], 0
        for i in range(samples):
            self.keys.append(guest.echo())
            if i % 4 == 0:
                self.lines.append(guest.say())

    @staticmethod
    def percentile(values, percent):
        ordered = sorted(values)
        return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]

    def key_figures(self):
        """Median, 99 % and worst time, in ms."""
        figures = statistics.median(self.keys), self.percentile(self.keys, 99), max(self.keys)
        return [figure * 1000 for figure in figures]

    def line_figures(self):
        return [figure * 1000 for figure in (statistics.median(self.lines), max(self.lines))]


class Control:
    """The control: no attack, but the guest's session is stopped three times a second, which
    the figures must show."""

    def __init__(self, session):
        self.session, self.pid = session, 0

    def __enter__(self):
        self.pid = os.fork()
        if self.pid == 0:
            while True:
                os.kill(self.session, signal.SIGSTOP)
                time.sleep(STOP_S)
                os.kill(self.session, signal.SIGCONT)
                time.sleep(STOP_S)

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.kill(self.session, signal.SIGCONT)


HEAD = (
    "| while | came in | key alone | key meanwhile | line alone | line meanwhile | ratio |\n"
    "|---|---|---|---|---|---|---|"
)


def connections(place):
    """How many clients were let in so far."""
    return place.logged("event=open transport")


def row(name, alone, meanwhile):
    def text(figures):
        return " / ".join(f"{figure:.1f}" for figure in figures)

    ratio = meanwhile.key_figures()[0] / alone.key_figures()[0]
    cells = [name.replace("_", " "), str(meanwhile.come)]
    cells += [text(alone.key_figures()), text(meanwhile.key_figures())]
    cells += [text(alone.line_figures()), text(meanwhile.line_figures()), f"{ratio:.1f}"]
    return "| " + " | ".join(cells) + " |"


def measure(place, samples, chosen=attacks.ALL):
    """For each attack: its name, and the times alone and during the attack. The control comes
    last."""
    guest = player.Player(place.port)
    (session, _), = place.children(place.named("gate"))
    for attack in chosen:
        alone, come = Times(guest, samples), connections(place)
        with attacks.Attack(attack, place.port):
            time.sleep(BEGIN_S)
            meanwhile = Times(guest, samples)
        meanwhile.come = connections(place) - come
        yield attack.__name__, alone, meanwhile
    alone = Times(guest, samples)
    with Control(session):
        meanwhile = Times(guest, samples)
    yield "control", alone, meanwhile
    guest.close()


def main(samples):
    place = house.House(SETTINGS)
    print("ms; keys: median / 99 % / worst; lines: median / worst; ratio of the keys' medians")
    print(HEAD)
    try:
        for name, alone, meanwhile in measure(place, samples):
            print(row(name, alone, meanwhile), flush=True)
    finally:
        died = place.logged("reason=watchdog")
        print(f"{died} sessions ended by the watchdog, {place.logged('event=renewed')} renewals")
        place.close(died)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
