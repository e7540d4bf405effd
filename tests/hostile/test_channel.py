#!/usr/bin/python3
"""Tests that whatever a guest does to a channel affects no session but the guest's own."""

import case
import peer
import player

SIZE = (80, 24, 0, 0)


class Channel(case.HouseCase):
    def open_shell(self, **options):
        """Opens a shell and waits for the lobby."""
        screen = player.Screen(self.connect_as_guest().open_channel(**options).start_shell())
        screen.enter_lobby()
        return screen

    def assert_session_works(self, screen):
        """Checks that the session with this screen still works."""
        screen.read_until_quiet()
        screen.peer.write(b"c" + player.MARK)
        screen.wait_for_words(player.MARK)

    def assert_request_refused(self, client, kind, *fields):
        client.send_channel_request(kind, *fields)
        client.expect_message(peer.CHANNEL_FAILURE)

    def test_a_second_channel_is_refused(self):
        screen = self.open_shell()
        screen.peer.request_channel()
        self.assertIn(peer.OPEN_FAILURE, self.read_answers(screen.peer))
        self.assert_session_works(screen)

    def test_channels_of_other_kinds_than_session_are_refused(self):
        client = self.connect_as_guest()
        for kind in ("direct-tcpip", "x11", "auth-agent@openssh.com", "", "?" * 9999):
            client.request_channel(kind=kind)
        self.assertNotIn(peer.OPEN_CONFIRMATION, self.read_answers(client))
        client.open_channel()

    def test_forwarding_is_refused(self):
        client = self.connect_as_guest()
        fields = ("127.0.0.1", 22, "127.0.0.1", 1)
        for kind in ("direct-tcpip", "direct-streamlocal@openssh.com"):
            client.send(peer.OPEN, kind, 0, 1 << 20, 1 << 15, *fields)
            client.expect_message(peer.OPEN_FAILURE)
        client.send(peer.GLOBAL_REQUEST, "tcpip-forward", True, "127.0.0.1", 0)
        client.expect_message(peer.REQUEST_FAILURE)

    def test_only_one_shell_or_command_is_run(self):
        for first in (("shell",), ("exec", "id")):
            client = self.connect_as_guest().open_channel()
            client.send_channel_request("pty-req", "xterm", *SIZE, "", reply=False)
            client.send_channel_request(*first)
            client.send_channel_request("shell")
            client.send_channel_request("exec", "id")
            numbers = self.read_answers(client)
            self.assertLessEqual(numbers.count(peer.CHANNEL_SUCCESS), 1)

    def test_a_second_terminal_is_refused(self):
        client = self.connect_as_guest().open_channel()
        client.send_channel_request("pty-req", "xterm", *SIZE, "")
        client.expect_message(peer.CHANNEL_SUCCESS)
        self.assert_request_refused(client, "pty-req", "xterm", *SIZE, "")
        client.send_channel_request("shell", reply=False)
        screen = player.Screen(client)
        screen.enter_lobby()
        client.send_channel_request("pty-req", "vt100", *SIZE, "")
        self.assert_session_works(screen)

    def test_unknown_channel_requests_are_refused(self):
        client = self.connect_as_guest().open_channel()
        for kind, *fields in (
            ("env", "LD_PRELOAD", "/tmp/x.so"),
            ("subsystem", "sftp"),
            ("auth-agent-req@openssh.com",),
            ("signal", "KILL"),
            ("xon-xoff", True),
            ("break", 1000),
            ("exit-status", 0),
            ("", ""),
            ("z" * 30000,),
        ):
            client.send_channel_request(kind, *fields)
            self.assertNotIn(peer.CHANNEL_SUCCESS, self.read_answers(client))

    def test_a_terminal_of_any_name_and_size_shows_the_lobby(self):
        for term, *size in (
            ("xterm-256color", 65535, 65535),
            ("xterm-256color", 0, 0),
            ("xterm-256color", 2**32 - 1, 2**31),
            ("xterm-256color", 1, 1),
            ("../../../etc/passwd", 80, 24),
            ("\x1b]0;owned\x07", 80, 24),
            ("%n%n%s", 80, 24),
            ("t" * 60000, 80, 24),
            ("", 80, 24),
        ):
            client = self.connect_as_guest().open_channel()
            client.send_channel_request("pty-req", term, *size, 0, 0, b"\xff" * 500, reply=False)
            client.send_channel_request("shell", reply=False)
            player.Screen(client).wait_for_words(b"Trickhouse")
            client.close()

    def test_a_window_may_change_to_any_size(self):
        screen = self.open_shell()
        for size in ((65535, 65535), (0, 0), (2**32 - 1, 2**32 - 1), (1, 65535), (80, 0), (80, 24)):
            screen.peer.send_channel_request("window-change", *size, 0, 0, reply=False)
            screen.read_until_quiet()
        self.assert_session_works(screen)

    def test_floods_of_requests_end_nobody_elses_session(self):
        flood = (
            ("env", "NAME", "x" * 1000),
            ("window-change", 500, 200, 0, 0),
            ("shell",),
            ("signal", "INT"),
        )
        for kind, *fields in flood:
            screen = self.open_shell()
            for _ in range(2000):
                screen.peer.send_channel_request(kind, *fields, reply=False)
            self.assertLess(self.player.measure_echo(), case.ECHO_S)
            screen.close()

    def test_endless_input_ends_nobody_elses_session(self):
        screen = self.open_shell()
        for _ in range(60):
            screen.peer.write(bytes(range(256)) * 100)
        self.assertLess(self.player.measure_echo(), case.ECHO_S)

    def test_data_for_missing_channels_are_ignored(self):
        for channel in (1, 43, 2**32 - 1):
            screen = self.open_shell()
            for number in (peer.DATA, peer.EOF, peer.CLOSE, peer.WINDOW_ADJUST):
                try:
                    screen.peer.send(number, channel, b"data")
                except peer.Closed:
                    break
            screen.close()

    def test_a_channel_may_be_closed_again_and_again(self):
        screen = self.open_shell()
        try:
            for _ in range(5):
                screen.peer.send(peer.EOF, screen.peer.channel)
                screen.peer.send(peer.CLOSE, screen.peer.channel)
                screen.peer.write(b"after the end")
        except peer.Closed:
            pass
        screen.peer.read_until_closed()

    def test_extended_data_is_not_taken_as_typing(self):
        screen = self.open_shell()
        screen.peer.send(peer.EXTENDED_DATA, screen.peer.channel, 1, b"qy")
        screen.peer.send(peer.EXTENDED_DATA, screen.peer.channel, 2**32 - 1, b"qy")
        self.assert_session_works(screen)

    def test_messages_with_wrong_lengths_end_at_most_their_session(self):
        for number, *fields in (
            (peer.DATA, 2**32 - 1),
            (peer.DATA, 2**31),
            (peer.EXTENDED_DATA, 1, 2**32 - 1),
            (peer.CHANNEL_REQUEST, 2**32 - 1),
            (peer.CHANNEL_REQUEST,),
            (peer.WINDOW_ADJUST, 2**32 - 1),
        ):
            screen = self.open_shell()
            screen.peer.send(number, screen.peer.channel, *fields)
            self.read_answers(screen.peer)
            screen.close()

    def test_a_channel_without_window_space_gets_its_screen_once_there_is_space(self):
        client = self.connect_as_guest().open_channel(window=0).start_shell()
        client.send(peer.WINDOW_ADJUST, client.channel, 1 << 20)
        player.Screen(client).wait_for_words(player.OFFER)

    def test_a_channel_with_window_space_for_one_byte_gets_the_whole_screen(self):
        screen = player.Screen(self.connect_as_guest().open_channel(window=1).start_shell())
        seen = b""
        while player.OFFER not in seen:
            seen += screen.read_output(peer.DEADLINE_S)
            screen.peer.send(peer.WINDOW_ADJUST, screen.peer.channel, 1)

    def test_a_packet_size_of_zero_opens_no_channel(self):
        client = self.connect_as_guest()
        client.request_channel(packet=0)
        self.assertNotIn(peer.OPEN_CONFIRMATION, self.read_answers(client))

    # The SSH library subtracts 10 from the size of a packet. Packets of size 10 are tested in
    # test_costs.py.
    def test_a_shell_works_with_very_small_packets(self):
        for packet in (1, 9, 11, 2**32 - 1):
            client = self.connect_as_guest().open_channel(packet=packet).start_shell()
            player.Screen(client).wait_for_words(b"g")
            client.close()


if __name__ == "__main__":
    case.main()
