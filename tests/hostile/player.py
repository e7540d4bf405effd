"""A player with a correct client, who is in the house while others attack the house."""

import select
import time

import peer

MARK = b"Y"  # a letter that is no part of an escape sequence and does not occur in the lobby
OFFER = b"Play against bots"  # the head of the offer of games, which guests see first
QUIET_S = 0.12  # longest pause in output: the house draws at most ten times a second
DRAIN_S = 0.6


class Screen:
    """Reads the screen that the house draws for an SSH client."""

    def __init__(self, client):
        self.peer = client

    def close(self):
        self.peer.close()

    def read_output(self, timeout):
        """Reads the next output that the house draws."""
        number, rest = self.peer.receive(timeout)
        if number != peer.DATA:
            return b""
        rest.get_int()
        return rest.get_string()

    def wait_for_words(self, words, timeout=peer.DEADLINE_S):
        """Reads until the words are drawn. Returns how many seconds that took."""
        begin, seen = time.monotonic(), b""
        while words not in seen:
            seen = seen[-len(words) :] + self.read_output(timeout - (time.monotonic() - begin))
        return time.monotonic() - begin

    def enter_lobby(self):
        """Closes the offer of games, and waits for the lobby."""
        self.wait_for_words(OFFER)
        self.peer.write(b"q")
        self.wait_for_words(b"quit")
        self.read_until_quiet()

    def read_until_quiet(self):
        """Reads until nothing arrives for QUIET_S, but at most for DRAIN_S, because output
        never stops while people enter and leave."""
        deadline = time.monotonic() + DRAIN_S
        while time.monotonic() < deadline and (
            self.peer.buffer or select.select([self.peer.socket], [], [], QUIET_S)[0]
        ):
            self.read_output(peer.DEADLINE_S)


class Player(Screen):
    """A guest who types in the lobby and measures how long the house takes to show it."""

    def __init__(self, port):
        super().__init__(peer.Peer(port).sign_in_by_name().open_channel().start_shell())
        self.typed = 0
        self.enter_lobby()
        self.peer.write(b"c")
        self.read_until_quiet()

    def measure_echo(self):
        """Measures the seconds from a key press to its letter on the screen."""
        self.peer.write(MARK)
        took = self.wait_for_words(MARK)
        self.typed += 1
        if self.typed % 30 == 0:
            self.peer.write(b"\x15")
        self.read_until_quiet()
        return took

    def measure_chat(self):
        """Measures the seconds from Enter to the line in the chat. A line in the chat has been
        committed by the house."""
        word = b"W%dW" % self.typed
        self.typed += 1
        self.peer.write(b"\x15" + word)
        self.wait_for_words(word)
        self.read_until_quiet()
        self.peer.write(b"\r")
        took = self.wait_for_words(word)
        self.read_until_quiet()
        self.peer.write(b"c")  # the next line begins with a key of its own
        self.read_until_quiet()
        return took
