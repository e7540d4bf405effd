"""A player with a correct client, who is in the house while others attack it."""

import select
import time

import peer

MARK = b"Y"  # ends no escape sequence that a terminal receives, and does not occur in the lobby
QUIET_S = 0.12  # the house draws at most ten times a second
DRAIN_S = 0.6


class Screen:
    """What the shell's screen shows."""

    def __init__(self, client):
        self.peer = client

    def close(self):
        self.peer.close()

    def read(self, timeout):
        """What the house draws next."""
        number, rest = self.peer.receive(timeout)
        if number != peer.DATA:
            return b""
        rest.get_int()
        return rest.get_string()

    def await_words(self, words, timeout=peer.DEADLINE_S):
        """Reads until the words are drawn. Returns how many seconds that took."""
        begin, seen = time.monotonic(), b""
        while words not in seen:
            seen = seen[-len(words) :] + self.read(timeout - (time.monotonic() - begin))
        return time.monotonic() - begin

    def drain(self):
        """Reads until nothing arrives for a while. Where people come and go, something always
        arrives."""
        deadline = time.monotonic() + DRAIN_S
        while time.monotonic() < deadline and (
            self.peer.buffer or select.select([self.peer.socket], [], [], QUIET_S)[0]
        ):
            self.read(peer.DEADLINE_S)


class Player(Screen):
    """A guest who types in the lobby and measures how long things take."""

    def __init__(self, port):
        super().__init__(peer.Peer(port).enter().opened().start())
        self.typed = 0
        self.await_words(b"quit")
        self.drain()
        self.peer.write(b"c")
        self.drain()

    def echo(self):
        """Seconds from a key press to its letter on the screen."""
        self.peer.write(MARK)
        took = self.await_words(MARK)
        self.typed += 1
        if self.typed % 30 == 0:
            self.peer.write(b"\x15")
        self.drain()
        return took

    def say(self):
        """Seconds from Enter to the line in the chat, which the house has committed by then."""
        word = b"W%dW" % self.typed
        self.typed += 1
        self.peer.write(b"\x15" + word)
        self.await_words(word)
        self.drain()
        self.peer.write(b"\r")
        took = self.await_words(word)
        self.drain()
        return took
