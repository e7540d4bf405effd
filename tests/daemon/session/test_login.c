#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A sign-in. Each test sends the core's answers before the session asks for them. Request ids begin
 * with 1. */
struct fixture {
    int core[2], peer[2], stop[2];
    struct core_link *link;
    struct login login;
};

static void begin_sign_in(struct fixture *fixture)
{
    memset(fixture, 0, sizeof(*fixture));
    assert_int_equal(packet_make_socket_pair(fixture->core), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fixture->peer), 0);
    assert_int_equal(pipe(fixture->stop), 0);
    fixture->link = core_link_new(fixture->core[0]);
    fixture->login = (struct login){
        .link = fixture->link,
        .peer_fd = fixture->peer[0],
        .stop_fd = fixture->stop[0],
        .tries_max = 6,
        .deadline_ms = clock_steady_ms() + 10000,
    };
}

static void free_link(struct core_link *link)
{
    packet_queue_clear(&link->waiting);
    client_free(link->client);
    free(link->buffer);
    free(link);
}

static void end_sign_in(struct fixture *fixture)
{
    json_decref(fixture->login.you);
    free_link(fixture->link);
    for (int i = 0; i < 2; i++) {
        close(fixture->core[i]);
        close(fixture->peer[i]);
        close(fixture->stop[i]);
    }
}

static void send_from_core(const struct fixture *fixture, const char *json)
{
    assert_int_equal(packet_send(fixture->core[1], json, strlen(json), -1), PACKET_OK);
}

/* Returns the next message that the core has received, as a new reference. */
static json_t *receive_at_core(const struct fixture *fixture)
{
    static char buffer[PACKET_MAX];
    size_t len = 0;
    assert_int_equal(packet_receive(fixture->core[1], buffer, &len, NULL), PACKET_OK);
    json_t *message = json_loadb(buffer, len, 0, NULL);
    assert_non_null(message);
    return message;
}

static void a_guest_signs_in_and_the_session_knows_their_name(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "{\"t\":\"welcome\"}");
    send_from_core(&fixture,
                   "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{\"name\":\"guest\"}}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_IN);
    assert_string_equal(json_string_value(json_object_get(fixture.login.you, "name")), "guest");
    end_sign_in(&fixture);
}

static void messages_after_the_sign_in_answer_wait_for_the_screen(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{}}");
    send_from_core(&fixture, "{\"t\":\"lobby\"}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_IN);
    struct pollfd left = {.fd = fixture.core[0], .events = POLLIN};
    assert_int_equal(poll(&left, 1, 0), 1);
    end_sign_in(&fixture);
}

static void a_verified_unknown_key_makes_an_unregistered_person_with_a_key(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"new\"}");
    send_from_core(&fixture, "{\"t\":\"ok\",\"id\":2,\"result\":\"visitor\",\"name\":\"nova\"}");
    assert_int_equal(login_check_key(&fixture.login, "nova", "ssh-ed25519", "SHA256:x"),
                     LOGIN_KNOWN);
    assert_false(fixture.login.has_key);
    assert_int_equal(login_by_key(&fixture.login, "nova", "ssh-ed25519", "SHA256:x"),
                     LOGIN_UNREGISTERED);
    assert_true(fixture.login.has_key);
    assert_string_equal(fixture.login.suggested, "nova");
    json_t *check = receive_at_core(&fixture);
    json_t *key = json_object_get(check, "key");
    assert_string_equal(json_string_value(json_object_get(key, "fingerprint")), "SHA256:x");
    json_decref(check);
    end_sign_in(&fixture);
}

static void every_sign_in_refusal_has_its_own_result(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "{\"t\":\"no\",\"id\":1,\"code\":\"denied\"}");
    send_from_core(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"wait\",\"wait_s\":7}");
    send_from_core(&fixture, "{\"t\":\"no\",\"id\":3,\"code\":\"busy\"}");
    assert_int_equal(login_by_password(&fixture.login, "mira", "wrong"), LOGIN_DENIED);
    assert_int_equal(login_by_password(&fixture.login, "mira", "wrong"), LOGIN_WAIT);
    assert_int_equal(fixture.login.wait_seconds, 7);
    assert_int_equal(login_by_password(&fixture.login, "mira", "wrong"), LOGIN_BUSY);
    end_sign_in(&fixture);
}

static void after_the_last_wrong_try_no_password_is_accepted(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    for (int i = 1; i <= 6; i++) {
        char denied[64];
        snprintf(denied, sizeof(denied), "{\"t\":\"no\",\"id\":%d,\"code\":\"denied\"}", i);
        send_from_core(&fixture, denied);
        assert_int_equal(fixture.login.state, LOGIN_ASKING);
        assert_int_equal(login_by_password(&fixture.login, "mira", "wrong"), LOGIN_DENIED);
    }
    assert_int_equal(fixture.login.state, LOGIN_FAILED);
    end_sign_in(&fixture);
}

static void somebody_banned_stays_banned_until_the_core_lifts_the_ban(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture,
                   "{\"t\":\"no\",\"id\":1,\"code\":\"banned\",\"why\":\"You are banned.\"}");
    send_from_core(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"too_many\",\"why\":\"Wait.\"}");
    send_from_core(&fixture,
                   "{\"t\":\"no\",\"id\":3,\"code\":\"unknown\",\"why\":\"It is over.\"}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_REFUSED);
    assert_true(fixture.login.is_banned);
    assert_string_equal(fixture.login.why, "You are banned.");
    assert_int_equal(login_by_password(&fixture.login, "mira", "appeal please"), LOGIN_REFUSED);
    assert_true(fixture.login.is_banned);
    assert_int_equal(login_by_password(&fixture.login, "mira", "appeal please"), LOGIN_REFUSED);
    assert_false(fixture.login.is_banned);
    end_sign_in(&fixture);
}

static void somebody_banned_can_send_only_an_appeal(void **state)
{
    (void)state;
    struct fixture fixture;
    char note[LOGIN_NOTE_MAX];
    begin_sign_in(&fixture);
    send_from_core(&fixture,
                   "{\"t\":\"no\",\"id\":1,\"code\":\"banned\",\"why\":\"You are banned.\"}");
    send_from_core(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"banned\",\"why\":\"Noted.\"}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_REFUSED);
    json_decref(receive_at_core(&fixture));
    assert_int_equal(login_by_password(&fixture.login, "mira", "my password"), LOGIN_REFUSED);
    login_write_refusal_note(&fixture.login, LOGIN_REFUSED, note);
    assert_non_null(strstr(note, "Nothing was sent."));
    assert_non_null(strstr(note, "appeal It was my brother."));
    assert_int_equal(login_by_password(&fixture.login, "mira", "Appeal why not"), LOGIN_REFUSED);
    json_t *appeal = receive_at_core(&fixture);
    assert_string_equal(json_string_value(json_object_get(appeal, "password")), "Appeal why not");
    json_decref(appeal);
    end_sign_in(&fixture);
}

static void ban_notes_are_wrapped_at_blanks_on_a_narrow_terminal(void **state)
{
    (void)state;
    struct fixture fixture;
    char note[LOGIN_NOTE_MAX];
    begin_sign_in(&fixture);
    for (size_t i = 0; i < 100; i++) {
        memcpy(fixture.login.why + 8 * i, "because ", 8);
    }
    fixture.login.why[799] = '\0';
    login_write_refusal_note(&fixture.login, LOGIN_REFUSED, note);
    size_t words = 0;
    for (const char *row = note, *end; (end = strchr(row, '\n')) != NULL; row = end + 1) {
        assert_in_range(end - row, 7, 78);
        assert_memory_equal(end - 7, "because", 7);
        words += (size_t)(end - row + 1) / 8;
    }
    assert_int_equal(words, 100);
    login_write_refusal_note(&fixture.login, LOGIN_DENIED, note);
    assert_string_equal(note, "That was not right.\n");
    end_sign_in(&fixture);
}

static void a_sign_in_answer_without_a_name_ends_the_connection(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\"}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_NO_CORE);
    assert_int_equal(fixture.login.state, LOGIN_FAILED);
    end_sign_in(&fixture);
}

static void an_invalid_name_is_sent_to_the_core_as_an_empty_one(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    char endless[100];
    memset(endless, 'a', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    const char *const names[] = {endless, "\xff\xfe"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char answer[64];
        snprintf(answer, sizeof(answer), "{\"t\":\"no\",\"id\":%zu,\"code\":\"denied\"}", i + 1);
        send_from_core(&fixture, answer);
        assert_int_equal(login_by_password(&fixture.login, names[i], "password"), LOGIN_DENIED);
        json_t *asked = receive_at_core(&fixture);
        assert_string_equal(json_string_value(json_object_get(asked, "name")), "");
        json_decref(asked);
    }
    end_sign_in(&fixture);
}

static void a_password_that_is_not_utf8_is_denied_without_asking_the_core(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    assert_int_equal(login_by_password(&fixture.login, "mira", "\xff"), LOGIN_DENIED);
    struct pollfd asked = {.fd = fixture.core[1], .events = POLLIN};
    assert_int_equal(poll(&asked, 1, 0), 0);
    end_sign_in(&fixture);
}

static void waiting_for_the_core_ends_when_the_client_disconnects(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    assert_int_equal(shutdown(fixture.peer[1], SHUT_RDWR), 0);
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_NO_CORE);
    end_sign_in(&fixture);
}

static void waiting_for_the_core_ends_when_the_session_must_end(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    assert_int_equal(write(fixture.stop[1], "x", 1), 1);
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_NO_CORE);
    end_sign_in(&fixture);
}

static void waiting_for_the_core_ends_when_the_time_for_signing_in_is_over(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    fixture.login.deadline_ms = clock_steady_ms() + 20;
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_NO_CORE);
    end_sign_in(&fixture);
}

static void a_restarted_core_gets_the_sign_in_request_again(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    client_send_hello(fixture.link->client, "test");
    send_from_core(&fixture, "{\"t\":\"resync\"}");
    send_from_core(&fixture, "{\"t\":\"welcome\"}");
    send_from_core(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{}}");
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_IN);
    static const char *const heard[] = {"hello", "sign_in", "hello", "sign_in"};
    for (size_t i = 0; i < ARRAY_LEN(heard); i++) {
        json_t *message = receive_at_core(&fixture);
        assert_string_equal(json_string_value(json_object_get(message, "t")), heard[i]);
        json_decref(message);
    }
    end_sign_in(&fixture);
}

static void a_malformed_message_or_a_closed_socket_disconnects_the_core(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    send_from_core(&fixture, "nonsense");
    assert_false(core_link_exchange_packets(fixture.link));
    end_sign_in(&fixture);
    begin_sign_in(&fixture);
    assert_int_equal(shutdown(fixture.core[1], SHUT_RDWR), 0);
    assert_int_equal(login_as_guest(&fixture.login), LOGIN_NO_CORE);
    end_sign_in(&fixture);
}

static void messages_to_a_full_socket_are_sent_later_in_order(void **state)
{
    (void)state;
    struct fixture fixture;
    begin_sign_in(&fixture);
    enum {
        COUNT = 60
    };
    char *text = calloc(1, 30001);
    assert_non_null(text);
    memset(text, 'x', 30000);
    struct client *client = fixture.link->client;
    for (int i = 0; i < COUNT; i++) {
        assert_true(
            client_send_request(client, "say", json_pack("{s:s}", "text", text), NULL, NULL));
    }
    free(text);
    assert_true((core_link_get_poll_events(fixture.link) & POLLOUT) != 0);
    for (int i = 1; i <= COUNT + 1; i++) {
        if (i == COUNT / 2) { /* the socket has room now, while other messages still wait */
            assert_true((core_link_get_poll_events(fixture.link) & POLLOUT) != 0);
            assert_true(client_send_request(client, "ping", NULL, NULL, NULL));
        }
        assert_true(core_link_exchange_packets(fixture.link));
        json_t *message = receive_at_core(&fixture);
        assert_int_equal(json_integer_value(json_object_get(message, "id")), i);
        json_decref(message);
    }
    assert_true(core_link_exchange_packets(fixture.link));
    assert_int_equal(core_link_get_poll_events(fixture.link), POLLIN);
    end_sign_in(&fixture);
}

TEST_GROUP(login)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_signs_in_and_the_session_knows_their_name),
        cmocka_unit_test(messages_after_the_sign_in_answer_wait_for_the_screen),
        cmocka_unit_test(a_verified_unknown_key_makes_an_unregistered_person_with_a_key),
        cmocka_unit_test(every_sign_in_refusal_has_its_own_result),
        cmocka_unit_test(somebody_banned_can_send_only_an_appeal),
        cmocka_unit_test(ban_notes_are_wrapped_at_blanks_on_a_narrow_terminal),
        cmocka_unit_test(after_the_last_wrong_try_no_password_is_accepted),
        cmocka_unit_test(somebody_banned_stays_banned_until_the_core_lifts_the_ban),
        cmocka_unit_test(a_sign_in_answer_without_a_name_ends_the_connection),
        cmocka_unit_test(an_invalid_name_is_sent_to_the_core_as_an_empty_one),
        cmocka_unit_test(a_password_that_is_not_utf8_is_denied_without_asking_the_core),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_client_disconnects),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_session_must_end),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_time_for_signing_in_is_over),
        cmocka_unit_test(a_restarted_core_gets_the_sign_in_request_again),
        cmocka_unit_test(a_malformed_message_or_a_closed_socket_disconnects_the_core),
        cmocka_unit_test(messages_to_a_full_socket_are_sent_later_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
