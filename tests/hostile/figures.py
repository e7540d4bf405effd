#!/usr/bin/python3
"""Measures what others notice of a hostile client: figures.py [SAMPLES]

A guest types and chats in the lobby, first alone and then during each attack. A row says how
long a key takes to appear on the screen, and how long a line takes from Enter to the chat,
where the line appears once the house has committed it. The default limits apply, for loopback
too. The attackers use the same machine, so the figures include the processor time that the
attackers take from the house."""

import os
import signal
import statistics
import sys
import time

import attacks
import house
import player

SETTINGS = "[door]\nlimit_loopback = yes\n[chat]\nburst = 1000\ninterval_ms = 1\n"
BEGIN_S = 1  # time until the attack has reached its full strength
STOP_S = 0.3


class Times:
    """Measures how long typed letters and chat lines take to appear, in seconds."""

    def __init__(self, guest, samples):
        self.keys, self.lines, self.come = [], [], 0
        for i in range(samples):
            self.keys.append(guest.measure_echo())
            if i % 4 == 0:
                self.lines.append(guest.measure_chat())

    @staticmethod
    def compute_percentile(values, percent):
        ordered = sorted(values)
        return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]

    def summarise_key_times(self):
        """Computes the median, the 99th percentile and the worst of the key times, in ms."""
        most = self.compute_percentile(self.keys, 99)
        return [figure * 1000 for figure in (statistics.median(self.keys), most, max(self.keys))]

    def summarise_line_times(self):
        return [figure * 1000 for figure in (statistics.median(self.lines), max(self.lines))]


class Control:
    """Stands in for an attack, to show that the figures notice a delay: the guest's session is
    stopped three times a second."""

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


def count_connections(opened_house):
    """Counts the connections that the house has accepted so far."""
    return opened_house.count_log_lines("event=open transport")


def format_row(name, alone, during_attack):
    def format_figures(figures):
        return " / ".join(f"{figure:.1f}" for figure in figures)

    ratio = during_attack.summarise_key_times()[0] / alone.summarise_key_times()[0]
    cells = [name.replace("_", " "), str(during_attack.come)]
    cells += [format_figures(times.summarise_key_times()) for times in (alone, during_attack)]
    cells += [format_figures(times.summarise_line_times()) for times in (alone, during_attack)]
    cells.append(f"{ratio:.1f}")
    return "| " + " | ".join(cells) + " |"


def measure_attacks(opened_house, samples, chosen_attacks=attacks.ALL):
    """Yields for each attack its name, the times without an attack, and the times during the
    attack. The last attack is Control, which is no attack."""
    guest = player.Player(opened_house.port)
    (session, _), = opened_house.list_children(opened_house.find_child("gate"))
    for attack in chosen_attacks:
        alone, come = Times(guest, samples), count_connections(opened_house)
        with attacks.Attack(attack, opened_house.port):
            time.sleep(BEGIN_S)
            meanwhile = Times(guest, samples)
        meanwhile.come = count_connections(opened_house) - come
        yield attack.__name__, alone, meanwhile
    alone = Times(guest, samples)
    with Control(session):
        meanwhile = Times(guest, samples)
    yield "control", alone, meanwhile
    guest.close()


def main(samples):
    opened_house = house.House(SETTINGS)
    print("ms; keys: median / 99 % / worst; lines: median / worst; ratio of the keys' medians")
    print(HEAD)
    try:
        for name, alone, meanwhile in measure_attacks(opened_house, samples):
            print(format_row(name, alone, meanwhile), flush=True)
    finally:
        died = opened_house.count_log_lines("reason=watchdog")
        renewals = opened_house.count_log_lines("event=renewed")
        print(f"{died} sessions ended by the watchdog, {renewals} renewals")
        opened_house.close(died)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
