#include "daemon/session/door.h"

#include "daemon/base/clock.h"
#include "daemon/base/packet.h"
#include "daemon/session/core_link.h"
#include "lobby/protocol/client.h"

#include <jansson.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* A door whose core has said everything in advance: request ids begin at 1. */
struct fixture {
    int core[2], peer[2], stop[2];
    struct core_link *link;
    struct door door;
};

static void open_door(struct fixture *fixture)
{
    memset(fixture, 0, sizeof(*fixture));
    assert_int_equal(packet_pair(fixture->core), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fixture->peer), 0);
    assert_int_equal(pipe(fixture->stop), 0);
    fixture->link = core_link_new(fixture->core[0]);
    fixture->door = (struct door){
        .link = fixture->link,
        .peer_fd = fixture->peer[0],
        .stop_fd = fixture->stop[0],
        .tries_max = 6,
        .deadline_ms = clock_steady_ms() + 10000,
    };
}

static void close_door(struct fixture *fixture)
{
    door_clear(&fixture->door);
    core_link_free(fixture->link);
    for (int i = 0; i < 2; i++) {
        close(fixture->core[i]);
        close(fixture->peer[i]);
        close(fixture->stop[i]);
    }
}

static void core_says(const struct fixture *fixture, const char *json)
{
    assert_int_equal(packet_send(fixture->core[1], json, strlen(json), -1), PACKET_OK);
}

/* The next message that the core got; a new reference. */
static json_t *core_hears(const struct fixture *fixture)
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
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"welcome\"}");
    core_says(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{\"name\":\"guest\"}}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_IN);
    assert_string_equal(fixture.door.you, "{\"name\":\"guest\"}");
    close_door(&fixture);
}

static void messages_after_the_answer_wait_for_the_screen(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{}}");
    core_says(&fixture, "{\"t\":\"lobby\"}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_IN);
    struct pollfd left = {.fd = fixture.core[0], .events = POLLIN};
    assert_int_equal(poll(&left, 1, 0), 1);
    close_door(&fixture);
}

static void a_verified_unknown_key_makes_an_unregistered_person_with_a_key(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"new\"}");
    core_says(&fixture, "{\"t\":\"ok\",\"id\":2,\"result\":\"visitor\",\"name\":\"nova\"}");
    assert_int_equal(door_key_check(&fixture.door, "nova", "ssh-ed25519", "SHA256:x"), DOOR_KNOWN);
    assert_false(fixture.door.has_key);
    assert_int_equal(door_sign_in_key(&fixture.door, "nova", "ssh-ed25519", "SHA256:x"),
                     DOOR_VISITOR);
    assert_true(fixture.door.has_key);
    assert_string_equal(fixture.door.suggested, "nova");
    json_t *check = core_hears(&fixture);
    json_t *key = json_object_get(check, "key");
    assert_string_equal(json_string_value(json_object_get(key, "fingerprint")), "SHA256:x");
    json_decref(check);
    close_door(&fixture);
}

static void every_refusal_has_its_own_result(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"no\",\"id\":1,\"code\":\"denied\"}");
    core_says(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"wait\",\"wait_s\":7}");
    core_says(&fixture, "{\"t\":\"no\",\"id\":3,\"code\":\"busy\"}");
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "wrong"), DOOR_DENIED);
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "wrong"), DOOR_WAIT);
    assert_int_equal(fixture.door.wait_seconds, 7);
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "wrong"), DOOR_BUSY);
    close_door(&fixture);
}

static void after_the_last_wrong_try_no_password_is_accepted(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    for (int i = 1; i <= 6; i++) {
        char denied[64];
        snprintf(denied, sizeof(denied), "{\"t\":\"no\",\"id\":%d,\"code\":\"denied\"}", i);
        core_says(&fixture, denied);
        assert_int_equal(fixture.door.state, DOOR_ASKING);
        assert_int_equal(door_sign_in_password(&fixture.door, "mira", "wrong"), DOOR_DENIED);
    }
    assert_int_equal(fixture.door.state, DOOR_SHUT);
    close_door(&fixture);
}

static void somebody_banned_stays_banned_until_the_core_lifts_it(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"no\",\"id\":1,\"code\":\"banned\",\"why\":\"You are banned.\"}");
    core_says(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"too_many\",\"why\":\"Wait.\"}");
    core_says(&fixture, "{\"t\":\"no\",\"id\":3,\"code\":\"unknown\",\"why\":\"It is over.\"}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_REFUSED);
    assert_true(fixture.door.is_banned);
    assert_string_equal(fixture.door.why, "You are banned.");
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "appeal please"), DOOR_REFUSED);
    assert_true(fixture.door.is_banned);
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "appeal please"), DOOR_REFUSED);
    assert_false(fixture.door.is_banned);
    close_door(&fixture);
}

static void somebody_banned_can_send_only_an_appeal(void **state)
{
    (void)state;
    struct fixture fixture;
    char note[DOOR_NOTE_MAX];
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"no\",\"id\":1,\"code\":\"banned\",\"why\":\"You are banned.\"}");
    core_says(&fixture, "{\"t\":\"no\",\"id\":2,\"code\":\"banned\",\"why\":\"Noted.\"}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_REFUSED);
    json_decref(core_hears(&fixture));
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "my password"), DOOR_REFUSED);
    door_note(&fixture.door, DOOR_REFUSED, note);
    assert_non_null(strstr(note, "Nothing was sent."));
    assert_non_null(strstr(note, "appeal It was my brother."));
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "Appeal why not"), DOOR_REFUSED);
    json_t *appeal = core_hears(&fixture);
    assert_string_equal(json_string_value(json_object_get(appeal, "password")), "Appeal why not");
    json_decref(appeal);
    close_door(&fixture);
}

static void notes_are_wrapped_at_blanks_on_a_narrow_terminal(void **state)
{
    (void)state;
    struct fixture fixture;
    char note[DOOR_NOTE_MAX];
    open_door(&fixture);
    for (size_t i = 0; i < 100; i++) {
        memcpy(fixture.door.why + 8 * i, "because ", 8);
    }
    fixture.door.why[799] = '\0';
    door_banned_note(&fixture.door, note);
    size_t words = 0;
    for (const char *row = note, *end; (end = strchr(row, '\n')) != NULL; row = end + 1) {
        assert_in_range(end - row, 7, 78);
        assert_memory_equal(end - 7, "because", 7);
        words += (size_t)(end - row + 1) / 8;
    }
    assert_int_equal(words, 100);
    door_note(&fixture.door, DOOR_DENIED, note);
    assert_string_equal(note, "That was not right.\n");
    close_door(&fixture);
}

static void a_sign_in_answer_without_a_name_ends_the_connection(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\"}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_GONE);
    assert_int_equal(fixture.door.state, DOOR_SHUT);
    close_door(&fixture);
}

static void an_invalid_name_is_sent_to_the_core_as_an_empty_one(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    char endless[100];
    memset(endless, 'a', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    const char *const names[] = {endless, "\xff\xfe"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char answer[64];
        snprintf(answer, sizeof(answer), "{\"t\":\"no\",\"id\":%zu,\"code\":\"denied\"}", i + 1);
        core_says(&fixture, answer);
        assert_int_equal(door_sign_in_password(&fixture.door, names[i], "password"), DOOR_DENIED);
        json_t *asked = core_hears(&fixture);
        assert_string_equal(json_string_value(json_object_get(asked, "name")), "");
        json_decref(asked);
    }
    close_door(&fixture);
}

static void a_password_that_is_not_utf8_is_denied_without_asking_the_core(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    assert_int_equal(door_sign_in_password(&fixture.door, "mira", "\xff"), DOOR_DENIED);
    struct pollfd asked = {.fd = fixture.core[1], .events = POLLIN};
    assert_int_equal(poll(&asked, 1, 0), 0);
    close_door(&fixture);
}

static void waiting_for_the_core_ends_when_the_client_disconnects(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    assert_int_equal(shutdown(fixture.peer[1], SHUT_RDWR), 0);
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_GONE);
    close_door(&fixture);
}

static void waiting_for_the_core_ends_when_the_session_must_end(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    assert_int_equal(write(fixture.stop[1], "x", 1), 1);
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_GONE);
    close_door(&fixture);
}

static void waiting_for_the_core_ends_when_the_time_for_signing_in_is_over(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    fixture.door.deadline_ms = clock_steady_ms() + 20;
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_GONE);
    close_door(&fixture);
}

static void a_restarted_core_is_asked_again(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    client_hello(core_link_client(fixture.link), "test");
    core_says(&fixture, "{\"t\":\"resync\"}");
    core_says(&fixture, "{\"t\":\"welcome\"}");
    core_says(&fixture, "{\"t\":\"ok\",\"id\":1,\"result\":\"in\",\"you\":{}}");
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_IN);
    static const char *const heard[] = {"hello", "sign_in", "hello", "sign_in"};
    for (size_t i = 0; i < ARRAY_LEN(heard); i++) {
        json_t *message = core_hears(&fixture);
        assert_string_equal(json_string_value(json_object_get(message, "t")), heard[i]);
        json_decref(message);
    }
    close_door(&fixture);
}

static void a_malformed_message_or_a_closed_socket_breaks_the_link(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    core_says(&fixture, "nonsense");
    assert_false(core_link_turn(fixture.link));
    close_door(&fixture);
    open_door(&fixture);
    assert_int_equal(shutdown(fixture.core[1], SHUT_RDWR), 0);
    assert_int_equal(door_sign_in_guest(&fixture.door), DOOR_GONE);
    close_door(&fixture);
}

static void messages_that_find_the_socket_full_are_sent_later_in_order(void **state)
{
    (void)state;
    struct fixture fixture;
    open_door(&fixture);
    enum {
        COUNT = 60
    };
    char *text = calloc(1, 30001);
    assert_non_null(text);
    memset(text, 'x', 30000);
    struct client *client = core_link_client(fixture.link);
    for (int i = 0; i < COUNT; i++) {
        assert_true(client_request(client, "say", json_pack("{s:s}", "text", text), NULL, NULL));
    }
    free(text);
    assert_true((core_link_events(fixture.link) & POLLOUT) != 0);
    for (int i = 1; i <= COUNT + 1; i++) {
        if (i == COUNT / 2) { /* there is room now, and still others wait for it */
            assert_true((core_link_events(fixture.link) & POLLOUT) != 0);
            assert_true(client_request(client, "ping", NULL, NULL, NULL));
        }
        assert_true(core_link_turn(fixture.link));
        json_t *message = core_hears(&fixture);
        assert_int_equal(json_integer_value(json_object_get(message, "id")), i);
        json_decref(message);
    }
    assert_true(core_link_turn(fixture.link));
    assert_int_equal(core_link_events(fixture.link), POLLIN);
    close_door(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_signs_in_and_the_session_knows_their_name),
        cmocka_unit_test(messages_after_the_answer_wait_for_the_screen),
        cmocka_unit_test(a_verified_unknown_key_makes_an_unregistered_person_with_a_key),
        cmocka_unit_test(every_refusal_has_its_own_result),
        cmocka_unit_test(somebody_banned_can_send_only_an_appeal),
        cmocka_unit_test(notes_are_wrapped_at_blanks_on_a_narrow_terminal),
        cmocka_unit_test(after_the_last_wrong_try_no_password_is_accepted),
        cmocka_unit_test(somebody_banned_stays_banned_until_the_core_lifts_it),
        cmocka_unit_test(a_sign_in_answer_without_a_name_ends_the_connection),
        cmocka_unit_test(an_invalid_name_is_sent_to_the_core_as_an_empty_one),
        cmocka_unit_test(a_password_that_is_not_utf8_is_denied_without_asking_the_core),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_client_disconnects),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_session_must_end),
        cmocka_unit_test(waiting_for_the_core_ends_when_the_time_for_signing_in_is_over),
        cmocka_unit_test(a_restarted_core_is_asked_again),
        cmocka_unit_test(a_malformed_message_or_a_closed_socket_breaks_the_link),
        cmocka_unit_test(messages_that_find_the_socket_full_are_sent_later_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
