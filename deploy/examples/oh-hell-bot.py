#!/usr/bin/python3
"""A program that plays Oh Hell in a Trickhouse, through the system's ssh.

    oh-hell-bot.py --fill mybot@house.example             opens a table, with the house's bots
    oh-hell-bot.py --players 4 mybot@house.example        opens one and waits for others
    oh-hell-bot.py --table 7 mybot@house.example          sits down at table 7
    oh-hell-bot.py --sign-up mybot new@house.example      the first time: makes the account
    oh-hell-bot.py … HOST -p 2222 -i KEY                  options for ssh follow HOST

It plays one game, says who won, and ends with 0. The protocol is lobby/protocol/PROTOCOL.md; this
file needs nothing but Python's own library.
"""

import argparse
import json
import subprocess
import sys
import time

RANKS = "23456789TJQKA"


class House:
    """A connection to the house. Numbers the requests, and sends unanswered ones again after the
    house has restarted."""

    def __init__(self, command, shows_messages):
        self.ssh = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.shows_messages = shows_messages
        self.last_id = 0
        self.unanswered = {}  # request id: (the request, the function to call with its answer)
        self.say_hello()

    def show(self, direction, line):
        if self.shows_messages:
            print(time.strftime("%H:%M:%S"), direction, line.decode().rstrip(), file=sys.stderr)

    def send(self, message):
        line = json.dumps(message).encode() + b"\n"
        self.show(">", line)
        self.ssh.stdin.write(line)
        self.ssh.stdin.flush()

    def say_hello(self):
        self.send({"t": "hello", "protocol": 3, "software": "oh-hell-bot 1"})

    def send_request(self, kind, then=None, **fields):
        """Sends a request. `then` is called with the whole answer; without it, a refusal ends
        the program."""
        self.last_id += 1
        message = {"t": kind, "id": self.last_id, **fields}
        self.unanswered[self.last_id] = (message, then)
        self.send(message)

    def read_messages(self):
        """Yields each message that the house sends without being asked, until the house ends
        the connection."""
        for line in self.ssh.stdout:
            self.show("<", line)
            message = json.loads(line)
            kind = message["t"]
            if kind in ("ok", "no"):
                self.handle_answer(message)
            elif kind == "resync":
                self.say_hello()
                for request, _ in self.unanswered.values():
                    self.send(request)
            else:
                yield message

    def handle_answer(self, answer):
        # A request sent twice because of a resync may be answered twice.
        request, then = self.unanswered.pop(answer["id"], (None, None))
        if request is None:
            return
        if answer.get("code") in ("too_fast", "wait"):
            time.sleep(answer.get("wait_s", 1))
            fields = {key: value for key, value in request.items() if key not in ("t", "id")}
            self.send_request(request["t"], then, **fields)
        elif then is not None:
            then(answer)
        elif answer["t"] == "no":
            sys.exit(f"{request['t']}: {answer['why']}")

    def close(self):
        self.ssh.stdin.close()
        self.ssh.wait()


def estimate_tricks(cards, trump):
    """Estimates how many tricks these cards win."""
    expected = 0.0
    for card in cards:
        rank, suit = RANKS.index(card[0]), card[1]
        if suit == trump:
            expected += 0.35 + rank / 18
        elif rank >= RANKS.index("Q"):
            expected += (rank - 9) / 4
    return expected


def rank_card(card, led_suit, trump):
    """Returns a key that sorts cards by strength, for sorted() and max()."""
    rank, suit = RANKS.index(card[0]), card[1]
    return rank + (200 if suit == trump else 100 if suit == led_suit else 0)


def choose_move(view):
    """Chooses one of the legal moves of a view. The view lists all of them, so no rule of the
    game is needed here."""
    own = view["seat"]
    turnup = view["info"]["turnup"]
    trump = turnup[1] if turnup else None
    if view["phase"] == "bid":
        hand = [slot["card"] for slot in view["hands"][own] if slot]
        wanted = estimate_tricks(hand, trump)
        return min(view["legal"], key=lambda move: abs(int(move.split(":")[1]) - wanted))

    cards = [move.split(":")[1] for move in view["legal"]]
    trick = [play["card"] for play in view["trick"]]
    led = trick[0][1] if trick else None
    by_strength = sorted(cards, key=lambda card: rank_card(card, led, trump))
    best = max((rank_card(card, led, trump) for card in trick), default=-1)
    winning = [card for card in by_strength if rank_card(card, led, trump) > best]
    losing = [card for card in by_strength if rank_card(card, led, trump) < best]
    if view["tricks"][own] < view["bids"][own]:
        # To win the trick, the last player plays the cheapest winning card, any other player the
        # best card.
        is_last = len(trick) == len(view["hands"]) - 1
        card = (winning[0] if is_last else winning[-1]) if winning else by_strength[0]
    else:
        card = losing[-1] if losing else by_strength[0]
    return "play:" + card


class Player:
    def __init__(self, house, options):
        self.house = house
        self.options = options
        self.is_in = False
        self.is_starting = False
        self.moved = None  # the step of the newest view that was answered with a move

    def play_game(self):
        for message in self.house.read_messages():
            handle = getattr(self, "handle_" + message["t"], None)
            if handle is not None and handle(message):
                return 0
        return 1  # the house has ended the connection; handle_bye has printed why

    def handle_bye(self, message):
        print(message["why"], file=sys.stderr)

    def handle_welcome(self, message):
        self.moved = None  # requests sent before a resync may be lost
        if self.is_in:
            return
        if message["phase"] == "visitor":
            if not self.options.sign_up:
                sys.exit("Nobody has that name: --sign-up NAME makes an account.")
            self.house.send_request("sign_up", self.finish_sign_up, name=self.options.sign_up)
        else:
            self.enter_house()

    def finish_sign_up(self, answer):
        if answer["t"] == "no":
            sys.exit(answer["why"])
        self.enter_house()

    def enter_house(self):
        self.is_in = True
        if not self.options.person:
            # Declares that this account belongs to a program. An account that has already played
            # stays as it is.
            self.house.send_request("bot_account", lambda answer: None)
        if self.options.table:
            self.house.send_request("table_enter", table=self.options.table)
            self.house.send_request("seat_take")
            return
        self.house.send_request(
            "table_open", self.finish_opening_table, game="oh-hell", players=self.options.players,
            options={}, clock_s=self.options.clock,
        )

    def finish_opening_table(self, answer):
        if answer["t"] == "no":
            sys.exit(answer["why"])
        print(f"opened table {answer['table']}", flush=True)
        for _ in range(self.options.players - 1 if self.options.fill else 0):
            self.house.send_request("bot_add", policy="medium")

    def handle_table(self, table):
        """Starts the game once every seat is taken; if it cannot start yet, tries again
        later."""
        is_full = all(seat and seat["here"] for seat in table["seats"])
        if table["is_host"] and table["state"] == "open" and is_full and not self.is_starting:
            self.is_starting = True
            self.house.send_request("table_start", self.note_answer_to_start)

    def note_answer_to_start(self, _answer):
        self.is_starting = False

    def handle_view(self, message):
        view = message["view"]
        if view["legal"] and self.moved != view["step"]:
            self.moved = view["step"]
            # The move is refused when the time ran out first; then the next view shows what to do.
            self.house.send_request("move", lambda answer: None, table=message["table"],
                           step=view["step"], move=choose_move(view))

    def handle_result(self, message):
        print(f"game {message['game_id']} is over: scores {message['scores']}, "
              f"won by seat {message['winners']}", flush=True)
        return True


def main():
    # The words after HOST are passed to ssh, whatever they look like.
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=int, help="sit down at this table")
    parser.add_argument("--players", type=int, default=3, help="players at a table to open")
    parser.add_argument("--clock", type=int, default=30, help="seconds for each move; 0: no clock")
    parser.add_argument("--fill", action="store_true", help="seat the house's bots there")
    parser.add_argument("--sign-up", metavar="NAME", help="create this account if it is missing")
    parser.add_argument("--person", action="store_true", help="do not become a bot account")
    parser.add_argument("--trace", action="store_true",
                        help="write all messages to standard error: > sent, < received")
    parser.add_argument("host")
    parser.add_argument("ssh", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    house = House(["ssh", "-s", *options.ssh, options.host, "api"], options.trace)
    status = Player(house, options).play_game()
    house.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
