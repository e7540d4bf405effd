"""A program that speaks the house's protocol through `ssh -s NAME@HOST api` and may send any
bytes."""

import json
import time

import accounts
import peer
import player


class Program:
    """Connects and signs in by password or key, and exchanges `hello`, the first message."""

    def __init__(self, port, name, password=accounts.PASSWORD, key=None, source="127.0.0.1"):
        self.peer = peer.Peer(port, source).exchange_keys().request_service()
        self.text, self.last_id = b"", 0
        if key is not None:
            self.peer.sign_in_with_key(name, key)
        else:
            self.peer.request_prompt(name)
            self.peer.answer_prompt(password)
        self.peer.expect_message(peer.AUTH_SUCCESS)
        self.screen = player.Screen(self.peer.open_channel())
        self.peer.send_channel_request("subsystem", "api", reply=False)
        self.send_message({"t": "hello", "protocol": 3})
        self.welcome = self.wait_for_message(lambda message: message["t"] == "welcome")

    def close(self):
        self.peer.close()

    def write_line(self, line):
        self.peer.write(line + b"\n")

    def send_message(self, message):
        self.write_line(json.dumps(message).encode())

    def send_request(self, kind, **fields):
        """Sends a request without waiting; returns its id."""
        self.last_id += 1
        self.send_message({"t": kind, "id": self.last_id, **fields})
        return self.last_id

    def read_message(self, timeout=peer.DEADLINE_S):
        """Reads the next message."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.text:
            self.text += self.screen.read_output(deadline - time.monotonic())
        line, _, self.text = self.text.partition(b"\n")
        return json.loads(line)

    def wait_for_message(self, is_wanted, timeout=peer.DEADLINE_S):
        while not is_wanted(message := self.read_message(timeout)):
            pass
        return message

    def wait_for_answer(self, request):
        return self.wait_for_message(lambda message: message.get("id") == request)

    def request_and_wait(self, kind, **fields):
        return self.wait_for_answer(self.send_request(kind, **fields))
