#!/usr/bin/python3
"""Tests that no message lets a client in without signing in."""

import accounts
import case
import peer
from accounts import PASSWORD


class Auth(case.HouseCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.key, cls.stranger = peer.make_key(), peer.make_key()
        accounts.sign_up(cls.house.port, "ada", key=cls.key)

    def assert_denied(self, client):
        """Checks that the last request was refused, and that the house opens no channel."""
        client.expect_message(peer.AUTH_FAILURE)
        self.assert_not_signed_in(client)

    # The right password and the right key must open the account.

    def test_the_right_password_opens_the_account(self):
        client = self.connect_to_sign_in()
        client.request_prompt("ada")
        client.answer_prompt(PASSWORD)
        client.expect_message(peer.AUTH_SUCCESS)
        client.request_channel()
        self.assertIn(peer.OPEN_CONFIRMATION, self.read_answers(client))

    def test_the_right_key_opens_the_account(self):
        client = self.connect_to_sign_in()
        client.send_auth_request("ada", "publickey", False, "ssh-ed25519", self.key.asbytes())
        client.expect_message(peer.PK_OK)
        client.sign_in_with_key("ada", self.key)
        client.expect_message(peer.AUTH_SUCCESS)
        client.open_channel()

    # Guessing passwords

    def test_only_one_of_several_simultaneous_guesses_is_checked(self):
        looked_at = "method=password account=ada why=denied"
        before = self.house.count_log_lines(looked_at)
        crowd = [self.connect_to_sign_in() for _ in range(12)]
        for client in crowd:
            client.request_prompt("ada")
        for client in crowd:
            client.answer_prompt("not the right password")
        for client in crowd:
            client.expect_message(peer.AUTH_FAILURE)
        self.assertEqual(self.house.count_log_lines(looked_at), before + 1)

    # Sending messages out of turn

    def test_a_success_message_from_the_client_has_no_effect(self):
        for client in (self.connect_and_exchange_keys(), self.connect_to_sign_in()):
            client.send(peer.AUTH_SUCCESS)
            self.assert_not_signed_in(client)

    def test_a_success_message_during_a_prompt_has_no_effect(self):
        client = self.connect_to_sign_in()
        client.request_prompt("ada")
        client.send(peer.AUTH_SUCCESS)
        self.assert_not_signed_in(client)

    def test_a_service_accept_message_from_the_client_has_no_effect(self):
        client = self.connect_and_exchange_keys()
        client.send(peer.SERVICE_ACCEPT, "ssh-connection")
        self.assert_not_signed_in(client)

    def test_the_connection_service_cannot_be_requested_before_signing_in(self):
        client = self.connect_and_exchange_keys()
        client.send(peer.SERVICE_REQUEST, "ssh-connection")
        self.assert_not_signed_in(client)

    def test_no_channel_opens_before_signing_in(self):
        for client in (self.connect_and_exchange_keys(), self.connect_to_sign_in()):
            self.assert_not_signed_in(client)

    def test_channel_messages_are_ignored_before_signing_in(self):
        for number, *fields in (
            (peer.DATA, 0, "hello"),
            (peer.CHANNEL_REQUEST, 0, "shell", True),
            (peer.CHANNEL_REQUEST, 0, "exec", True, "id"),
            (peer.WINDOW_ADJUST, 0, 1000),
            (peer.OPEN_CONFIRMATION, 0, 0, 1000, 1000),
            (peer.CHANNEL_SUCCESS, 0),
            (peer.EOF, 0),
            (peer.CLOSE, 0),
        ):
            client = self.connect_to_sign_in()
            client.send(number, *fields)
            self.assert_not_signed_in(client)

    def test_no_global_request_is_granted_before_signing_in(self):
        for kind in ("tcpip-forward", "keepalive@openssh.com", "hostkeys-prove-00@openssh.com"):
            client = self.connect_to_sign_in()
            client.send(peer.GLOBAL_REQUEST, kind, True, "", 0)
            self.assert_not_signed_in(client)

    def test_messages_that_only_a_server_sends_have_no_effect(self):
        for number in (peer.AUTH_FAILURE, peer.AUTH_BANNER, peer.PK_OK, peer.REQUEST_SUCCESS):
            client = self.connect_to_sign_in()
            client.send(number, "ssh-ed25519", self.key.asbytes())
            self.assert_not_signed_in(client)

    # Methods that the house does not offer

    def test_unsupported_methods_of_signing_in_are_refused(self):
        oid = b"\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"
        for method, *fields in (
            ("gssapi-with-mic", 1, oid),
            ("gssapi-with-mic", 0),
            ("gssapi-with-mic", 0xFFFFFFFF, oid),
            ("gssapi-keyex", b"mic"),
            ("hostbased", "ssh-ed25519", self.key.asbytes(), "localhost", "ada", b"signature"),
            ("password", False, PASSWORD),
            ("password", True, PASSWORD, "another password"),
            ("none",),
            ("", ""),
            ("x" * 30000,),
        ):
            client = self.connect_to_sign_in()
            client.send_auth_request("ada", method, *fields)
            self.assert_not_signed_in(client)

    def test_a_gssapi_conversation_does_not_sign_in(self):
        client = self.connect_to_sign_in()
        client.send_auth_request("ada", "gssapi-with-mic", 1, b"\x06\x01\x00")
        client.expect_message(peer.AUTH_FAILURE)
        for number in (61, 63, 64, 65, 66):
            try:
                client.send(number, b"token")
            except peer.Closed:
                break
        self.assert_not_signed_in(client)

    def test_a_guest_cannot_sign_in_as_somebody_else(self):
        for user in ("Guest", "guest ", "ada\0guest", "root", "", "g" * 70000):
            client = self.connect_to_sign_in()
            client.send_auth_request(user, "none")
            self.assert_not_signed_in(client)

    # Keys. The SSH library does not answer a wrong signature.

    def test_a_signature_by_another_key_than_the_one_shown_is_refused(self):
        client = self.connect_to_sign_in()
        client.send_auth_request("ada", "publickey", False, "ssh-ed25519", self.key.asbytes())
        client.expect_message(peer.PK_OK)
        client.sign_in_with_key("ada", self.key, signer=self.stranger)
        self.assert_not_signed_in(client)

    def test_a_key_without_a_signature_does_not_sign_in(self):
        client = self.connect_to_sign_in()
        for _ in range(3):
            client.send_auth_request("ada", "publickey", False, "ssh-ed25519", self.key.asbytes())
            client.expect_message(peer.PK_OK)
        self.assert_not_signed_in(client)

    def test_a_strangers_key_does_not_open_the_account(self):
        client = self.connect_to_sign_in()
        client.sign_in_with_key("ada", self.stranger)
        self.assert_denied(client)

    def test_a_signature_over_other_data_is_refused(self):
        for change in (
            {"session_id": bytes(32)},
            {"session_id": b""},
            {"user": "bob"},
            {"service": "ssh-userauth"},
            {"service": ""},
        ):
            client = self.connect_to_sign_in()
            client.sign_in_with_key("ada", self.key, **change)
            self.assert_not_signed_in(client)

    def test_a_signature_of_another_connection_is_refused(self):
        first, second = self.connect_to_sign_in(), self.connect_to_sign_in()
        second.sign_in_with_key("ada", self.key, session_id=first.session_id)
        self.assert_not_signed_in(second)

    def test_an_invalid_signature_is_refused(self):
        blob = self.key.asbytes()
        empty = peer.build_message(0, "ssh-ed25519", "")[1:]
        for signature in (b"", b"\0" * 4, b"\xff" * 200, empty):
            client = self.connect_to_sign_in()
            client.send_auth_request("ada", "publickey", True, "ssh-ed25519", blob, signature)
            self.assert_not_signed_in(client)

    def test_an_invalid_key_is_refused(self):
        short = peer.build_message(0, "ssh-ed25519", "short")[1:]
        for blob in (b"", b"ssh-ed25519", short, b"\xff" * 99):
            for is_signed in (False, True):
                client = self.connect_to_sign_in()
                fields = ("publickey", is_signed, "ssh-ed25519", blob, b"signature")
                client.send_auth_request("ada", *fields)
                self.assert_not_signed_in(client)

    def test_after_twenty_key_probes_the_house_checks_nothing_more(self):
        client = self.connect_to_sign_in()
        try:
            for _ in range(21):
                blob = peer.make_key().asbytes()
                client.send_auth_request("nobody", "publickey", False, "ssh-ed25519", blob)
                client.expect_message(peer.PK_OK, peer.AUTH_FAILURE)
            client.sign_in_with_key("ada", self.key)
        except peer.Closed:
            pass
        self.assert_closed(client)

    # Answering prompts

    def test_an_answer_counts_for_the_user_of_the_last_prompt(self):
        client = self.connect_to_sign_in()
        client.request_prompt("ada")
        client.request_prompt("nobody-at-all")
        client.answer_prompt(PASSWORD)
        self.assert_denied(client)

    def test_another_sign_in_request_cancels_the_prompt(self):
        for method, *fields in (
            ("none",),
            ("publickey", False, "ssh-ed25519", self.stranger.asbytes()),
            ("password", False, "not that"),
            ("hostbased", "ssh-ed25519", b"", "localhost", "ada", b""),
        ):
            client = self.connect_to_sign_in()
            client.request_prompt("ada")
            client.send_auth_request("ada", method, *fields)
            client.expect_message(peer.AUTH_FAILURE, peer.PK_OK)
            try:
                client.answer_prompt(PASSWORD)
            except peer.Closed:
                pass
            self.assert_not_signed_in(client)

    def test_the_number_of_answers_must_match_the_prompts(self):
        for count, *answers in ((0,), (2, PASSWORD, PASSWORD), (1000, PASSWORD), (2**32 - 1,)):
            client = self.connect_to_sign_in()
            client.request_prompt("ada")
            client.send(peer.INFO_RESPONSE, count, *answers)
            self.assert_not_signed_in(client)

    def test_an_answer_without_a_prompt_has_no_effect(self):
        client = self.connect_to_sign_in()
        client.answer_prompt(PASSWORD)
        self.assert_not_signed_in(client)

    def test_an_answer_to_a_prompt_counts_only_once(self):
        client = self.connect_to_sign_in()
        client.request_prompt("nobody-of-that-name")
        client.answer_prompt("not that")
        client.expect_message(peer.AUTH_FAILURE)
        try:
            client.answer_prompt(PASSWORD)
        except peer.Closed:
            pass
        self.assert_not_signed_in(client)

    def test_the_seventh_password_is_not_checked(self):
        client = self.connect_to_sign_in()
        try:
            for i in range(6):
                client.request_prompt(f"nobody-{i}")
                client.answer_prompt("not that password")
                client.expect_message(peer.AUTH_FAILURE)
            client.request_prompt("ada")
            client.answer_prompt(PASSWORD)
        except peer.Closed:
            pass
        self.assert_closed(client)

    def test_the_connection_ends_after_a_hundred_requests(self):
        client = self.connect_to_sign_in()
        answers = 0
        try:
            for _ in range(101):
                client.send_auth_request("ada", "none")
                client.expect_message(peer.AUTH_FAILURE)
                answers += 1
            client.request_prompt("ada")
            client.answer_prompt(PASSWORD)
        except peer.Closed:
            pass
        self.assertLessEqual(answers, 101)
        self.assert_closed(client)


if __name__ == "__main__":
    case.main()
