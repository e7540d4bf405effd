"""A program that speaks the house's protocol through `ssh -s NAME@HOST api` and may send
anything."""

import json
import time

import accounts
import peer
import player


class Program:
    """Signs in by password or key; the first message, `hello`, has been sent and answered."""

    def __init__(self, port, name, password=accounts.PASSWORD, key=None, source="127.0.0.1"):
        self.peer = peer.Peer(port, source).exchange_keys().ask_service()
        self.text, self.last_id = b"", 0
        if key is not None:
            self.peer.sign(name, key)
        else:
            self.peer.prompt(name)
            self.peer.answer(password)
        self.peer.expect(peer.AUTH_SUCCESS)
        self.screen = player.Screen(self.peer.opened())
        self.peer.request("subsystem", "api", reply=False)
        self.say({"t": "hello", "protocol": 2})
        self.welcome = self.await_message(lambda message: message["t"] == "welcome")

    def close(self):
        self.peer.close()

    def write(self, line):
        self.peer.write(line + b"\n")

    def say(self, message):
        self.write(json.dumps(message).encode())

    def request(self, kind, **fields):
        """Sends a request without waiting; returns its id."""
        self.last_id += 1
        self.say({"t": kind, "id": self.last_id, **fields})
        return self.last_id

    def read(self, timeout=peer.DEADLINE_S):
        """Reads the next message."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.text:
            self.text += self.screen.read(deadline - time.monotonic())
        line, _, self.text = self.text.partition(b"\n")
        return json.loads(line)

    def await_message(self, is_wanted, timeout=peer.DEADLINE_S):
        while not is_wanted(message := self.read(timeout)):
            pass
        return message

    def answer(self, request):
        return self.await_message(lambda message: message.get("id") == request)

    def ask(self, kind, **fields):
        return self.answer(self.request(kind, **fields))
