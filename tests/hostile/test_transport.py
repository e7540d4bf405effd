#!/usr/bin/python3
"""Tests that bytes and packets that are not SSH, or SSH messages in the wrong order, end at
most their own connection."""

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
    def connect_and_exchange_versions(self):
        """Opens a connection, exchanges the version lines and receives the house's KEXINIT."""
        client = self.connect()
        client.exchange_versions()
        client.read_kexinit()
        return client

    def assert_ended(self, client):
        """Checks that the house closes the connection and grants nothing when the client sends
        nothing more."""
        client.socket.shutdown(1)
        client.read_until_closed()

    # Tests of the version line

    def test_an_invalid_version_line_ends_the_connection(self):
        for line in GARBAGE:
            client = self.connect()
            try:
                client.send_bytes(line)
                self.assert_ended(client)
            except (peer.Closed, OSError):
                pass

    def test_the_house_stops_reading_an_endless_version_line(self):
        client = self.connect()
        with self.assertRaises((peer.Closed, OSError)):
            for _ in range(3000):
                client.send_bytes(b"SSH-2.0-" + b"x" * 9992)

    # Tests of the first key exchange

    def test_a_client_without_a_common_algorithm_gets_no_connection(self):
        for field in peer.LISTS:
            if field.startswith("language"):
                continue
            for names in ("", "nothing-we-know", "," * 500, "x" * 20000, "\0", "\xff"):
                client = self.connect_and_exchange_versions()
                client.send_kexinit(**{field: names})
                try:
                    client.send_key_share()
                    self.assert_ended(client)
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
            client = self.connect_and_exchange_versions()
            client.send_kexinit(**{"cipher_out": "aes256-ctr", field: name})
            self.assert_closed(client)

    def test_an_invalid_key_exchange_share_is_refused(self):
        for share in (b"", bytes(31), bytes(32), bytes(33), b"\xff" * 5000):
            client = self.connect_and_exchange_versions()
            client.send_kexinit()
            client.send(peer.KEX_INIT, share)
            self.assert_closed(client)

    # Messages that the Terrapin attack inserts (CVE-2023-48795). The SSH library notices them and
    # disconnects at the end of the key exchange.

    def assert_key_exchange_fails(self, client):
        """Checks that the house ends the connection at the end of the key exchange."""
        client.send_key_share()
        with self.assertRaises(peer.Closed):
            client.switch_to_new_keys()
            client.request_service()

    def test_strict_key_exchange_accepts_no_unrelated_message(self):
        for number, *fields in (
            (peer.IGNORE, b"data"),
            (peer.DEBUG, False, "text", ""),
            (peer.UNIMPLEMENTED, 0),
            (peer.EXT_INFO, 0),
        ):
            client = self.connect_and_exchange_versions()
            client.send_kexinit()
            client.send(number, *fields)
            self.assert_key_exchange_fails(client)

    def test_strict_key_exchange_accepts_no_message_before_kexinit(self):
        client = self.connect()
        client.exchange_versions()
        client.send(peer.IGNORE, b"data")
        client.read_kexinit()
        client.send_kexinit()
        self.assert_key_exchange_fails(client)

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
            client = self.connect_and_exchange_versions()
            client.send(number, *fields)
            self.assert_closed(client)

    def test_endless_key_exchange_messages_end_the_connection(self):
        client = self.connect_and_exchange_versions()
        try:
            for _ in range(1000):
                client.send_kexinit()
        except (peer.Closed, OSError):
            pass
        self.assert_closed(client)

    def test_a_truncated_kexinit_ends_the_connection(self):
        whole = peer.Peer.build_kexinit()
        for length in range(1, len(whole), 17):
            client = self.connect_and_exchange_versions()
            client.send_bytes(client.build_packet(whole[:length]))
            self.assert_ended(client)

    # Tests of packets

    def test_impossible_lengths_end_the_connection(self):
        for length in (0, 1, 4, 262145, 2**31, 2**32 - 1):
            for client in (self.connect_and_exchange_versions(), self.connect_to_sign_in()):
                client.send_bytes(struct.pack(">I", length) + bytes(64))
                self.assert_ended(client)

    def test_padding_longer_than_the_packet_ends_the_connection(self):
        client = self.connect_and_exchange_versions()
        client.send_bytes(struct.pack(">IB", 12, 255) + bytes(11))
        self.assert_ended(client)

    def test_a_modified_packet_is_rejected(self):
        for at in (4, 10, -1):
            client = self.connect_to_sign_in()
            message = peer.build_message(peer.GLOBAL_REQUEST, "x", True)
            packet = bytearray(client.build_packet(message))
            packet[at] ^= 1
            client.send_bytes(packet)
            self.assert_closed(client)

    def test_a_modified_packet_of_a_guest_is_rejected(self):
        client = self.connect_as_guest()
        message = peer.build_message(peer.OPEN, "session", 0, 1 << 20, 1 << 15)
        packet = bytearray(client.build_packet(message))
        packet[-1] ^= 1
        client.send_bytes(packet)
        self.assert_closed(client)

    def test_a_connection_may_end_in_the_middle_of_a_packet(self):
        client = self.connect_to_sign_in()
        client.send_bytes(client.build_packet(peer.build_message(peer.IGNORE, b"x" * 200))[:100])
        self.assert_ended(client)

    def test_an_oversized_packet_ends_the_connection(self):
        client = self.connect_to_sign_in()
        try:
            client.send(peer.IGNORE, bytes(300000))
        except (peer.Closed, OSError):
            pass
        self.assert_closed(client)

    # Tests of messages

    def test_unknown_messages_have_no_effect(self):
        known = {peer.SERVICE_REQUEST, peer.AUTH_REQUEST}
        for number in range(256):
            if number in known:
                continue
            client = self.connect_to_sign_in()
            client.send(number, b"data")
            try:
                client.send(number, 0, 0, 0, 0)
            except (peer.Closed, OSError):
                pass
            for answer in self.read_answers(client):
                self.assertNotIn(answer, case.GAINS)
            client.close()

    def test_unknown_messages_end_at_most_a_guests_session(self):
        for number in range(256):
            client = self.connect_as_guest().open_channel().start_shell()
            client.send(number, b"data")
            client.close()

    def test_messages_to_be_ignored_change_nothing(self):
        client = self.connect_to_sign_in()
        for _ in range(500):
            client.send(peer.IGNORE, b"x" * 1000)
            client.send(peer.UNIMPLEMENTED, 7)
            client.send(peer.DEBUG, True, "text\x1b[2J", "")
        client.send_auth_request("guest", "none")
        client.expect_message(peer.AUTH_SUCCESS)

    def test_a_disconnection_is_possible_in_every_phase(self):
        phases = (
            self.connect_and_exchange_versions,
            self.connect_and_exchange_keys,
            self.connect_to_sign_in,
            self.connect_as_guest,
        )
        for client in [connect() for connect in phases]:
            client.send(peer.DISCONNECT, 11, "bye", "")
            client.read_until_closed()
        client = self.connect_to_sign_in()
        client.request_prompt("ada")
        client.send(peer.DISCONNECT, 2**32 - 1, "\xff" * 30000, "")
        client.read_until_closed()
        client = self.connect_as_guest().open_channel().start_shell()
        client.send(peer.DISCONNECT)
        client.read_until_closed()

    # Tests of later key exchanges

    def test_a_guest_may_exchange_keys_again_and_continue(self):
        client = self.connect_as_guest().open_channel()
        first = client.session_id
        for _ in range(5):
            client.exchange_keys_again()
        self.assertEqual(client.session_id, first)
        client.send_channel_request("pty-req", "xterm", 80, 24, 0, 0, "")
        client.expect_message(peer.CHANNEL_SUCCESS)

    def test_an_unfinished_key_exchange_ends_at_most_its_session(self):
        client = self.connect_as_guest().open_channel().start_shell()
        client.send_kexinit()
        self.assertLess(self.player.measure_echo(), case.ECHO_S)

    def test_a_new_key_exchange_signs_nobody_in(self):
        client = self.connect_to_sign_in()
        with self.assertRaises(peer.Closed):
            client.exchange_keys_again()
        self.assert_not_signed_in(client)


if __name__ == "__main__":
    case.main()
