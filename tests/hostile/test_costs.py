#!/usr/bin/python3
"""Tests that a client that uses too much time or data loses the connection and is blocked, and
that such a client does not affect others."""

import threading
import time

import case
import peer
import player

SETTINGS = """
[chat]
burst = 1000
interval_ms = 1
[door]
limit_loopback = yes
source_unauth = 20
source_connections = 40
source_burst = 1000
"""
CRASHES = 6


class Costs(case.HouseCase):
    def tearDown(self):
        super().tearDown()
        type(self).deaths = self.house.count_log_lines("reason=watchdog")

    def wait_for_logged_penalty(self, source, seconds, barred="no"):
        words = f"event=penalty address={source} seconds={seconds} barred={barred}"
        self.house.wait_for_log_lines(words)

    def assert_address_is_blocked(self, source):
        with self.assertRaises(peer.Closed) as refusal:
            self.connect(source=source).exchange_versions()
        self.assertIn(b"Too many connections", refusal.exception.args[0])


class Time(Costs):
    settings = SETTINGS + "key_exchange_s = 6\nlogin_s = 9\n[connection]\nstall_s = 2\n"

    def test_a_silent_connection_is_closed(self):
        silent = self.connect(source="127.0.1.1")
        half = self.connect(source="127.0.1.2")
        half.exchange_versions()
        half.send_kexinit()
        stuck = self.connect(source="127.0.1.3")
        stuck.send_bytes(b"SSH-2.0-x")
        for client, source in ((silent, "127.0.1.1"), (half, "127.0.1.2"), (stuck, "127.0.1.3")):
            client.read_until_closed()
            self.wait_for_logged_penalty(source, 10)

    def test_a_connection_that_never_signs_in_is_closed(self):
        client = self.connect(source="127.0.2.1").exchange_keys().request_service()
        self.assert_closed(client)
        self.wait_for_logged_penalty("127.0.2.1", 10)

    def test_an_address_that_often_leaves_before_signing_in_is_blocked(self):
        for _ in range(4):
            self.connect(source="127.0.3.1").close()
            self.connect(source="127.0.3.2").exchange_keys().close()
        for source in ("127.0.3.1", "127.0.3.2"):
            self.house.wait_for_log_lines(f"event=penalty address={source}", 4)

    def test_a_client_that_breaks_the_protocol_gets_a_penalty(self):
        client = self.connect(source="127.0.4.1").exchange_keys().request_service()
        client.send(peer.AUTH_SUCCESS)
        self.assert_closed(client)
        self.wait_for_logged_penalty("127.0.4.1", 1)

    def test_a_client_that_reads_nothing_is_disconnected(self):
        client = self.connect(source="127.0.5.1", receive_bytes=2048)
        client.sign_in_by_name().open_channel(window=1000).start_shell()
        self.house.wait_for_log_lines("reason=stalled")
        client.close()

    def test_what_a_client_has_typed_is_dropped_once_it_is_gone(self):
        client = self.connect(source="127.0.5.2").sign_in_by_name().open_channel().start_shell()
        for _ in range(500):
            client.write(b"c" * 30000)
        client.close()
        # the fourth line tells the end, after those of open, link and sign-in
        self.house.wait_for_log_lines("address=127.0.5.2", 4, timeout=10)


class Processor(Costs):
    # The limit is low, because on a busy machine a greedy client may get little processor time, and
    # may need longer for it than the house waits for a shell otherwise.
    settings = SETTINGS + "login_s = 200\nstart_s = 200\n[connection]\ncpu_percent = 1\ncpu_window_s = 5\n"

    def trigger_endless_loop(self, source):
        """Triggers an endless loop in the SSH library, by a channel whose packets hold 10
        bytes."""
        return self.connect(source=source).sign_in_by_name().open_channel(packet=10).start_shell()

    def test_a_session_in_an_endless_loop_is_killed_and_the_gate_is_renewed(self):
        renewals = self.house.count_log_lines("event=renewed")
        client = self.trigger_endless_loop("127.0.6.1")
        while self.house.count_log_lines("address=127.0.6.1 signal=") == 0:
            self.assertLess(self.player.measure_echo(), case.ECHO_S)
        client.read_until_closed()
        self.wait_for_logged_penalty("127.0.6.1", 90, "yes")
        self.assert_address_is_blocked("127.0.6.1")
        self.connect(source="127.0.6.2").sign_in_by_name()
        self.house.wait_for_log_lines("event=renewed", renewals + 1)

    def test_sessions_in_endless_loops_delay_nobody_else(self):
        def start_loops_from_network(net):
            for i in range(CRASHES // 2):
                self.trigger_endless_loop(f"127.0.{net}.{i + 1}").read_until_closed(60)

        renewals, begin = self.house.count_log_lines("event=renewed"), time.monotonic()
        crowd = [threading.Thread(target=start_loops_from_network, args=(net,)) for net in (7, 8)]
        for one in crowd:
            one.start()
        visitor = 0
        while any(one.is_alive() for one in crowd):
            visitor += 1
            came = time.monotonic()
            self.connect(source=f"127.0.9.{visitor % 250}").sign_in_by_name().close()
            self.assertLess(time.monotonic() - came, case.ECHO_S)
            self.assertLess(self.player.measure_echo(), case.ECHO_S)
        for one in crowd:
            one.join()
        self.house.wait_for_log_lines("reason=watchdog", CRASHES)
        most = time.monotonic() - begin + 1
        self.assertLess(self.house.count_log_lines("event=renewed") - renewals, most)

    def assert_ended_for_cpu_use(self, client, source, use_cpu_time):
        with self.assertRaises(peer.Closed):
            while True:
                use_cpu_time(client)
                client.ignore_waiting_messages()
                self.player.peer.ignore_waiting_messages()  # answers keepalives meanwhile
        self.house.wait_for_log_lines("reason=greedy")
        self.wait_for_logged_penalty(source, 90, "yes")
        self.assert_address_is_blocked(source)

    def test_endless_key_exchanges_are_stopped(self):
        client = self.connect(source="127.0.10.1").sign_in_by_name().open_channel()
        self.assert_ended_for_cpu_use(client, "127.0.10.1", peer.Peer.exchange_keys_again)

    def test_endless_wrong_signatures_are_stopped(self):
        """The SSH library checks all signatures and does not report wrong ones."""

        def send_wrong_signatures(client):
            for _ in range(200):
                client.sign_in_with_key("ada", key, session_id=bytes(32))

        key = peer.make_key()
        client = self.connect(source="127.0.12.1").exchange_keys().request_service()
        self.assert_ended_for_cpu_use(client, "127.0.12.1", send_wrong_signatures)

    def test_a_flood_of_typing_delays_nobody_else(self):
        client = self.connect(source="127.0.13.1").sign_in_by_name().open_channel()
        screen = player.Screen(client.start_shell())
        deadline = time.monotonic() + 8
        try:
            while time.monotonic() < deadline:
                screen.peer.write(b"c" * 30000)
                screen.peer.ignore_waiting_messages()
        except peer.Closed:
            pass
        self.assertLess(self.player.measure_echo(), case.ECHO_S)


if __name__ == "__main__":
    case.main()
