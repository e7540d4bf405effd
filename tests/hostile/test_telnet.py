#!/usr/bin/python3
"""Tests that telnet clients that send what no correct client sends harm nobody else."""

import os
import pathlib
import re
import select
import socket
import time

import case
import player

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
ECHO, GO_AHEAD, TERMINAL_TYPE, WINDOW_SIZE = 1, 3, 24, 31
READY = bytes([IAC, DO, ECHO, IAC, WILL, GO_AHEAD, IAC, DO, GO_AHEAD, IAC, DO, 0, IAC, WILL, 0])
READY += bytes([IAC, WONT, TERMINAL_TYPE, IAC, WILL, WINDOW_SIZE])
FLOODS_CPU_S = 1  # limit for the processor time of eight clients together
QUESTION = b'"new" for an account'


def encode_window_size(columns, rows):
    """Encodes a window size as a message of telnet's window size option."""
    body = columns.to_bytes(2, "big") + rows.to_bytes(2, "big")
    body = body.replace(b"\xff", b"\xff\xff")
    return bytes([IAC, SB, WINDOW_SIZE]) + body + bytes([IAC, SE])


class Telnet(case.HouseCase):
    settings = case.SETTINGS + "[listen]\ntelnet = yes\n"

    def connect_and_send(self, words=b""):
        """Connects and sends these bytes."""
        client = socket.create_connection(("127.0.0.1", self.house.telnet_port))
        client.settimeout(20)
        self.peers.append(client)
        self.send_bytes(client, words)
        return client

    def send_bytes(self, client, words):
        """Sends the bytes. Returns False when the house has closed the connection."""
        try:
            client.sendall(words)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def read_until(self, client, words=None, timeout=20):
        """Reads until the words arrive, or until the house closes the connection if `words` is
        None."""
        seen, deadline = b"", time.monotonic() + timeout
        while words is None or words not in seen:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([client], [], [], left)[0]:
                raise AssertionError(f"not in time; the end of what came: {seen[-200:]!r}")
            try:
                got = client.recv(65536)
            except ConnectionResetError:
                got = b""
            if not got and words is not None:
                raise AssertionError(f"closed; the end of what came: {seen[-200:]!r}")
            if not got:
                return seen
            seen += got
        return seen

    def connect_to_name_question(self):
        """Connects a correct client and waits for the question for a name."""
        client = self.connect_and_send(READY + encode_window_size(80, 24))
        self.read_until(client, QUESTION)
        return client

    def connect_to_lobby(self):
        """Connects a guest and waits for the lobby."""
        client = self.connect_to_name_question()
        self.send_bytes(client, b"guest\r\n")
        self.read_until(client, player.OFFER)
        self.send_bytes(client, b"q")
        self.read_until(client, b"quit")
        return client

    def test_a_correct_client_reaches_the_lobby(self):
        self.connect_to_lobby()

    def test_a_client_that_says_it_has_no_utf8_gets_only_ascii(self):
        client = self.connect_and_send(READY.replace(bytes([WONT, TERMINAL_TYPE]),
                                                     bytes([WILL, TERMINAL_TYPE])))
        self.send_bytes(client, encode_window_size(80, 24))
        seen = b""
        for name in (b"OLDMUD", b"XTERM", b"MTTS 3"):
            seen += self.read_until(client, bytes([IAC, SB, TERMINAL_TYPE, 1, IAC, SE]))
            self.send_bytes(client, bytes([IAC, SB, TERMINAL_TYPE, 0]) + name + bytes([IAC, SE]))
        seen += self.read_until(client, QUESTION)
        self.send_bytes(client, b"guest\r\n")
        seen += self.read_until(client, player.OFFER)
        self.send_bytes(client, b"4")
        seen += self.read_until(client, b"[0]")
        commands = rb"\xff\xfa[^\xff]*\xff\xf0|\xff[\xfb-\xfe]."
        self.assertTrue(re.sub(commands, b"", seen, flags=re.DOTALL).isascii())

    def test_a_flood_of_options_is_cut_off(self):
        for verb in (DO, WILL):
            client = self.connect_and_send(READY)
            self.send_bytes(client, b"".join(bytes([IAC, verb, i % 250]) for i in range(20000)))
            self.assertIn(b"negotiates without end", self.read_until(client))

    def test_endless_switching_of_options_is_cut_off(self):
        client = self.connect_and_send(READY)
        options = bytes([IAC, DO, ECHO, IAC, DO, GO_AHEAD, IAC, DONT, GO_AHEAD])
        self.send_bytes(client, options * 5000)
        self.read_until(client)

    def test_a_subnegotiation_without_end_is_cut_off(self):
        client = self.connect_and_send(READY + bytes([IAC, SB, TERMINAL_TYPE, 0]))
        self.send_bytes(client, b"x" * 100000)
        self.assertIn(b"negotiates without end", self.read_until(client))

    def test_many_long_subnegotiations_are_cut_off(self):
        client = self.connect_to_name_question()
        self.send_bytes(client, (bytes([IAC, SB, 39]) + b"y" * 1000 + bytes([IAC, SE])) * 100)
        self.assertIn(b"negotiates without end", self.read_until(client))

    def test_no_byte_of_a_subnegotiation_counts_as_typed(self):
        client = self.connect_to_name_question()
        words = bytes([IAC, SB, 39]) + b"guest\r\n" * 20 + bytes([IAC, SE])
        self.send_bytes(client, words + b"\x03")
        self.assertNotIn(player.OFFER, self.read_until(client))

    def test_a_command_may_be_split_anywhere(self):
        whole = READY + encode_window_size(80, 24) + bytes([IAC, IAC, IAC, 241, IAC, 246])
        for cut in range(len(whole)):
            client = self.connect_and_send(whole[:cut])
            client.shutdown(socket.SHUT_WR)
            self.read_until(client)

    def test_bytes_sent_one_at_a_time_have_the_same_effect(self):
        client = self.connect_and_send()
        for byte in READY + encode_window_size(80, 24):
            client.send(bytes([byte]))
        self.read_until(client, QUESTION)

    def test_a_megabyte_without_a_newline_harms_nobody(self):
        client = self.connect_to_name_question()
        for _ in range(16):
            self.send_bytes(client, b"a" * 65536)
        self.send_bytes(client, b"\x15guest\r\n")
        self.assertLess(self.player.measure_echo(), case.ECHO_S)

    def test_a_screen_is_drawn_at_any_window_size(self):
        client = self.connect_to_lobby()
        for columns, rows in ((65535, 65535), (0, 0), (1, 1), (65535, 1), (255, 255), (80, 24)):
            self.send_bytes(client, encode_window_size(columns, rows) * 100)
        self.send_bytes(client, b"qy")
        self.assertIn(b"Goodbye", self.read_until(client))

    def test_a_window_size_of_the_wrong_length_is_ignored(self):
        client = self.connect_to_lobby()
        for length in (0, 1, 3, 5, 60):
            words = bytes([IAC, SB, WINDOW_SIZE]) + b"\1" * length + bytes([IAC, SE])
            self.send_bytes(client, words)
        self.send_bytes(client, b"qy")
        self.assertIn(b"Goodbye", self.read_until(client))

    def test_a_flood_of_nuls_harms_nobody(self):
        for client in (self.connect_to_name_question(), self.connect_to_lobby()):
            for _ in range(32):
                self.send_bytes(client, bytes(65536))
        self.assertLess(self.player.measure_echo(), case.ECHO_S)

    def test_a_flood_of_lines_harms_nobody(self):
        client = self.connect_to_name_question()
        for _ in range(32):
            self.send_bytes(client, b"\r\n" * 16384)
        self.assertLess(self.player.measure_echo(), case.ECHO_S)

    def read_sessions_cpu_s(self):
        """Reads the processor time that ended sessions have used, in seconds."""
        gate = self.house.find_child("gate")
        fields = pathlib.Path(f"/proc/{gate}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def test_a_flood_before_signing_in_costs_little_processor_time(self):
        """Floods the house with window sizes, empty lines, zero bytes or a name without an end,
        before or after the telnet negotiation."""
        ended = self.house.count_log_lines("event=end")
        before = self.read_sessions_cpu_s()
        for words in (encode_window_size(80, 24) * 4000, b"\r\n" * 16384, bytes(65536), b"guest"):
            for first in (b"", READY + encode_window_size(80, 24)):
                client = self.connect_and_send(first)
                while self.send_bytes(client, words) and self.discard_input(client):
                    pass
                client.close()
                ended += 1
                self.house.wait_for_log_lines("event=end", ended)
        self.assertLess(self.read_sessions_cpu_s() - before, FLOODS_CPU_S)

    @staticmethod
    def discard_input(client):
        """Discards what has arrived. Returns False when the house has closed the connection."""
        try:
            while select.select([client], [], [], 0)[0]:
                if not client.recv(65536):
                    return False
        except ConnectionResetError:
            return False
        return True

    def test_random_bytes_end_at_most_their_own_session(self):
        for _ in range(40):
            client = self.connect_and_send(os.urandom(5000))
            client.close()
            client = self.connect_to_name_question()
            self.send_bytes(client, os.urandom(5000))
            client.close()

    def test_an_escape_sequence_as_a_name_is_not_echoed(self):
        client = self.connect_to_name_question()
        self.send_bytes(client, b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xaex\r\n")
        self.assertNotIn(b"\x1b]0;owned", self.read_until(client, b"assword"))


if __name__ == "__main__":
    case.main()
