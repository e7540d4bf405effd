#!/usr/bin/python3
"""Bytes and packets that are not SSH, or SSH messages in the wrong order, end at most their own
connection."""

import os
import struct

import case
import peer

GARBAGE = (
    b"GET / HTTP/1.1\r\nHost: house\r\n\r\n",
    b"\r\n" * 5000,
    b"SSH-1.5-old\r\n",
    b"SSH-2.0-\r\n\r\n",
    b"SSH-\r\n",
    b"\0" * 4096,
    b"\xff" * 4096,
    b"SSH-2.0-" + b"x" * 300 + b"\r\n",
    b"SSH-2.0-" + b"\x1b[2J\0\r\n",
    b"x" * 100000,
    os.urandom(20000),
)


class Transport(case.HouseCase):
    def greeted(self):
        """A connection that has received the house's KEXINIT."""
        client = self.connect()
        client.greet()
        client.read_kexinit()
        return client

    def end(self, client):
        """Sends nothing more; the house grants nothing and closes the connection."""
        client.socket.shutdown(1)
        client.read_until_closed()

    # The version line

    def test_an_invalid_version_line_ends_the_connection(self):
        for line in GARBAGE:
            client = self.connect()
            try:
                client.send_bytes(line)
                self.end(client)
            except (peer.Closed, OSError):
                pass

    def test_reading_an_endless_version_line_stops(self):
        client = self.connect()
        with self.assertRaises((peer.Closed, OSError)):
            for _ in range(3000):
                client.send_bytes(b"SSH-2.0-" + b"x" * 9992)

    # The first key exchange

    def test_nothing_in_common_means_no_connection(self):
        for field in peer.LISTS:
            if field.startswith("language"):
                continue
            for names in ("", "nothing-we-know", "," * 500, "x" * 20000, "\0", "\xff"):
                client = self.greeted()
                client.send_kexinit(**{field: names})
                try:
                    client.send_ours()
                    self.end(client)
                except (peer.Closed, OSError):
                    pass

    def test_a_weak_algorithm_is_not_agreed_on(self):
        for field, name in (
            ("kex", "diffie-hellman-group1-sha1"),
            ("kex", "diffie-hellman-group14-sha1"),
            ("host_key", "ssh-rsa"),
            ("cipher_out", "3des-cbc"),
            ("cipher_in", "none"),
            ("mac_out", "hmac-md5"),
            ("compression_out", "zlib"),
        ):
            client = self.greeted()
            client.send_kexinit(**{"cipher_out": "aes256-ctr", field: name})
            self.assert_closed(client)

    def test_an_invalid_key_exchange_share_is_refused(self):
        for share in (b"", bytes(31), bytes(32), bytes(33), b"\xff" * 5000):
            client = self.greeted()
            client.send_kexinit()
            client.send(peer.KEX_INIT, share)
            self.assert_closed(client)

    # The messages that the Terrapin attack inserts (CVE-2023-48795). The library notices them and
    # disconnects at the end of the key exchange.

    def assert_not_keyed(self, client):
        """Ends the key exchange; the house does not continue with it."""
        client.send_ours()
        with self.assertRaises(peer.Closed):
            client.finish_keys()
            client.ask_service()

    def test_strict_key_exchange_accepts_no_other_message(self):
        for number, *fields in (
            (peer.IGNORE, b"data"),
            (peer.DEBUG, False, "text", ""),
            (peer.UNIMPLEMENTED, 0),
            (peer.EXT_INFO, 0),
        ):
            client = self.greeted()
            client.send_kexinit()
            client.send(number, *fields)
            self.assert_not_keyed(client)

    def test_strict_key_exchange_accepts_no_earlier_message(self):
        client = self.connect()
        client.greet()
        client.send(peer.IGNORE, b"data")
        client.read_kexinit()
        client.send_kexinit()
        self.assert_not_keyed(client)

    def test_messages_out_of_order_are_refused(self):
        for number, *fields in (
            (peer.NEWKEYS,),
            (peer.KEX_INIT, bytes(32)),
            (peer.KEX_REPLY, b"", b"", b""),
            (peer.SERVICE_REQUEST, "ssh-userauth"),
            (peer.AUTH_REQUEST, "guest", "ssh-connection", "none"),
            (peer.AUTH_SUCCESS,),
            (peer.OPEN, "session", 0, 1000, 1000),
            (peer.GLOBAL_REQUEST, "x", True),
        ):
            client = self.greeted()
            client.send(number, *fields)
            self.assert_closed(client)

    def test_endless_key_exchange_messages_end_the_connection(self):
        client = self.greeted()
        try:
            for _ in range(1000):
                client.send_kexinit()
        except (peer.Closed, OSError):
            pass
        self.assert_closed(client)

    def test_a_truncated_kexinit_ends_the_connection(self):
        whole = peer.Peer.kexinit()
        for length in range(1, len(whole), 17):
            client = self.greeted()
            client.send_bytes(client.packet(whole[:length]))
            self.end(client)

    # Packets

    def test_impossible_lengths_end_the_connection(self):
        for length in (0, 1, 4, 262145, 2**31, 2**32 - 1):
            for client in (self.greeted(), self.asking()):
                client.send_bytes(struct.pack(">I", length) + bytes(64))
                self.end(client)

    def test_more_padding_than_packet_ends_the_connection(self):
        client = self.greeted()
        client.send_bytes(struct.pack(">IB", 12, 255) + bytes(11))
        self.end(client)

    def test_a_modified_packet_is_rejected(self):
        for at in (4, 10, -1):
            client = self.asking()
            packet = bytearray(client.packet(peer.message(peer.GLOBAL_REQUEST, "x", True)))
            packet[at] ^= 1
            client.send_bytes(packet)
            self.assert_closed(client)

    def test_a_modified_packet_of_a_guest_is_rejected(self):
        client = self.entered()
        packet = bytearray(client.packet(peer.message(peer.OPEN, "session", 0, 1 << 20, 1 << 15)))
        packet[-1] ^= 1
        client.send_bytes(packet)
        self.assert_closed(client)

    def test_an_unfinished_packet_ends_with_its_connection(self):
        client = self.asking()
        client.send_bytes(client.packet(peer.message(peer.IGNORE, b"x" * 200))[:100])
        self.end(client)

    def test_an_oversized_packet_ends_the_connection(self):
        client = self.asking()
        try:
            client.send(peer.IGNORE, bytes(300000))
        except (peer.Closed, OSError):
            pass
        self.assert_closed(client)

    # Messages

    def test_unknown_messages_have_no_effect(self):
        known = {peer.SERVICE_REQUEST, peer.AUTH_REQUEST}
        for number in range(256):
            if number in known:
                continue
            client = self.asking()
            client.send(number, b"data")
            try:
                client.send(number, 0, 0, 0, 0)
            except (peer.Closed, OSError):
                pass
            for answer in self.answered(client):
                self.assertNotIn(answer, case.GAINS)
            client.close()

    def test_unknown_messages_end_at_most_a_guests_session(self):
        for number in range(256):
            client = self.entered().opened().start()
            client.send(number, b"data")
            client.close()

    def test_meaningless_messages_change_nothing(self):
        client = self.asking()
        for _ in range(500):
            client.send(peer.IGNORE, b"x" * 1000)
            client.send(peer.UNIMPLEMENTED, 7)
            client.send(peer.DEBUG, True, "text\x1b[2J", "")
        client.ask("guest", "none")
        client.expect(peer.AUTH_SUCCESS)

    def test_a_disconnection_is_possible_in_every_phase(self):
        for client in (self.greeted(), self.keyed(), self.asking(), self.entered()):
            client.send(peer.DISCONNECT, 11, "bye", "")
            client.read_until_closed()
        client = self.asking()
        client.prompt("ada")
        client.send(peer.DISCONNECT, 2**32 - 1, "\xff" * 30000, "")
        client.read_until_closed()
        client = self.entered().opened().start()
        client.send(peer.DISCONNECT)
        client.read_until_closed()

    # Later key exchanges

    def test_a_guest_may_exchange_keys_again_and_continue(self):
        client = self.entered().opened()
        first = client.session_id
        for _ in range(5):
            client.rekey()
        self.assertEqual(client.session_id, first)
        client.request("pty-req", "xterm", 80, 24, 0, 0, "")
        client.expect(peer.CHANNEL_SUCCESS)

    def test_an_unfinished_key_exchange_ends_at_most_its_session(self):
        client = self.entered().opened().start()
        client.send_kexinit()
        self.assertLess(self.player.echo(), case.ECHO_S)

    def test_a_new_key_exchange_signs_nobody_in(self):
        client = self.asking()
        with self.assertRaises(peer.Closed):
            client.rekey()
        self.assert_not_in(client)


if __name__ == "__main__":
    case.main()
