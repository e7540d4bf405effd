#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 40
#define NUMBER_SIZE 16

static void add_message_with_number(struct outbox *outbox, int number)
{
    char text[NUMBER_SIZE];
    (void)snprintf(text, sizeof(text), "%d", number);
    struct payload *payload = payload_new(text, strlen(text));
    outbox_add(outbox, number, payload);
    payload_release(payload);
}

static void assert_next_message_has_number(struct outbox *outbox, int number)
{
    char text[NUMBER_SIZE];
    struct house_output message;
    (void)snprintf(text, sizeof(text), "%d", number);
    assert_true(outbox_take(outbox, &message));
    assert_int_equal(message.conn, number);
    assert_string_equal(message.json, text);
    assert_int_equal(message.len, strlen(text));
}

static void messages_are_sent_in_the_order_they_were_added(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox);
    int added = 0;
    int taken = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2 * round; i++) {
            add_message_with_number(&outbox, added++);
        }
        outbox_seal(&outbox, 1);
        outbox_settle(&outbox, 1);
        for (int i = 0; i < round; i++) {
            assert_next_message_has_number(&outbox, taken++);
        }
    }
    while (taken < added) {
        assert_next_message_has_number(&outbox, taken++);
    }
    outbox_clear(&outbox);
}

static void messages_added_after_a_commit_are_sent_after_the_next_commit(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox);
    struct house_output message;
    add_message_with_number(&outbox, 1);
    assert_false(outbox_take(&outbox, &message));
    outbox_seal(&outbox, 1);
    outbox_settle(&outbox, 1);
    add_message_with_number(&outbox, 2);
    assert_next_message_has_number(&outbox, 1);
    assert_false(outbox_take(&outbox, &message));
    outbox_seal(&outbox, 1);
    outbox_settle(&outbox, 1);
    assert_next_message_has_number(&outbox, 2);
    outbox_clear(&outbox);
}

static void messages_are_taken_only_when_their_turn_is_durable(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox);
    struct house_output message;
    add_message_with_number(&outbox, 1);
    outbox_seal(&outbox, 5);
    add_message_with_number(&outbox, 2);
    outbox_seal(&outbox, 5);
    add_message_with_number(&outbox, 3);
    outbox_seal(&outbox, 6);
    outbox_settle(&outbox, 4);
    assert_false(outbox_take(&outbox, &message));
    outbox_settle(&outbox, 5);
    assert_next_message_has_number(&outbox, 1);
    assert_next_message_has_number(&outbox, 2);
    assert_false(outbox_take(&outbox, &message));
    outbox_settle(&outbox, 7);
    assert_next_message_has_number(&outbox, 3);
    assert_false(outbox_take(&outbox, &message));
    outbox_clear(&outbox);
}

static void only_unsealed_messages_are_dropped_with_their_pass(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox);
    struct house_output message;
    add_message_with_number(&outbox, 1);
    outbox_seal(&outbox, 1);
    add_message_with_number(&outbox, 2);
    outbox_drop_unsealed(&outbox);
    add_message_with_number(&outbox, 3);
    outbox_seal(&outbox, 2);
    outbox_settle(&outbox, 2);
    assert_next_message_has_number(&outbox, 1);
    assert_next_message_has_number(&outbox, 3);
    assert_false(outbox_take(&outbox, &message));
    outbox_clear(&outbox);
}

static void messages_to_one_connection_can_be_dropped(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox);
    struct house_output message;
    add_message_with_number(&outbox, 7);
    add_message_with_number(&outbox, 1);
    outbox_seal(&outbox, 1);
    add_message_with_number(&outbox, 7);
    add_message_with_number(&outbox, 2);
    add_message_with_number(&outbox, 7);
    outbox_drop_conn(&outbox, 7);
    outbox_seal(&outbox, 1);
    outbox_settle(&outbox, 1);
    assert_next_message_has_number(&outbox, 1);
    assert_next_message_has_number(&outbox, 2);
    assert_false(outbox_take(&outbox, &message));
    outbox_clear(&outbox);
}

static bool payloads_are_equal(const char *left, const char *right)
{
    struct payload *one = payload_new(left, strlen(left));
    struct payload *other = payload_new(right, strlen(right));
    bool is_so = payload_is_same(one, other);
    payload_release(one);
    payload_release(other);
    return is_so;
}

static void two_payloads_are_equal_only_if_all_their_bytes_are(void **state)
{
    (void)state;
    assert_true(payloads_are_equal("{\"after\":1512}", "{\"after\":1512}"));
    assert_false(payloads_are_equal("{\"after\":1512}", "{\"after\":1521}"));
    assert_false(payloads_are_equal("{\"after\":1512}", "{\"after\":1512"));
    assert_true(payloads_are_equal("", ""));
}

TEST_GROUP(outbox)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_sent_in_the_order_they_were_added),
        cmocka_unit_test(messages_added_after_a_commit_are_sent_after_the_next_commit),
        cmocka_unit_test(messages_are_taken_only_when_their_turn_is_durable),
        cmocka_unit_test(only_unsealed_messages_are_dropped_with_their_pass),
        cmocka_unit_test(messages_to_one_connection_can_be_dropped),
        cmocka_unit_test(two_payloads_are_equal_only_if_all_their_bytes_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
