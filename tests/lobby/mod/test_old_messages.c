#include "lobby/house/messages.h"
#include "lobby/protocol/protocol_number.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Messages of protocol 1 that moderation commands have replaced (lobby/mod/old_messages.c), sent in
 * both protocols. */

#define KEEPER LATER

static const struct replaced {
    const char *type, *fields;
    int64_t conn;
    const char *row;       /* the newest row of the audit log */
    const char *key, *say; /* a JSON member that the answer must have: key and value; NULL: none */
} replaced[] = {
    {"release", "'name':'eve'", MAX, "max release eve ok", NULL, NULL},
    {"registration_set", "'state':'closed'", ADA, "ada registration  ok", "state", "closed"},
    {"reload", "'x':0", ADA, "ada reload  ok", NULL, NULL},
    {"backup", "'x':0", ADA, NULL, NULL, NULL},
    {"seat_kick", "'seat':1", BOB, "bob kick eve ok", NULL, NULL},
};

static bool is_tested_here(const char *type)
{
    for (size_t i = 0; i < ARRAY_LEN(replaced); i++) {
        if (strcmp(replaced[i].type, type) == 0) {
            return true;
        }
    }
    return false;
}

/* Staff hold Eve's account; she sits at Bob's table, and the keeper process is connected. */
static void prepare_house(struct driver *driver, int64_t protocol)
{
    const int64_t conns[] = {ADA, MAX, BOB, EVE};
    for (size_t i = 0; i < ARRAY_LEN(conns); i++) {
        driver_send(driver, conns[i], "{'t':'hello','protocol':%d}", (int)protocol);
    }
    driver_connect(driver, KEEPER, PEER_KEEPER);
    driver_send(driver, KEEPER, "{'t':'hello','protocol':2}");
    assert_int_equal(driver_open_table(driver, BOB, 3, 0), 1);
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}");
    driver_ok(driver, EVE, "{'t':'seat_take','seat':1}");
    order_ok(driver, MAX, "hold eve too many names");
    order_expect_audit_row(driver, "max hold eve ok");
}

static void messages_of_protocol_1_are_carried_out_as_moderation_commands(void **state)
{
    struct driver *driver = *state;
    prepare_house(driver, 1);
    for (size_t i = 0; i < ARRAY_LEN(replaced); i++) {
        const struct replaced *old = &replaced[i];
        const json_t *answer =
            driver_request(driver, old->conn, "{'t':'%s',%s}", old->type, old->fields);
        if (old->row == NULL) {
            continue; /* the keeper answers later */
        }
        assert_string_equal(driver_read_text(answer, "t"), "ok");
        order_expect_audit_row(driver, old->row);
        if (old->key != NULL) {
            assert_string_equal(driver_read_text(answer, old->key), old->say);
        }
    }
    assert_int_equal(driver_count_messages(driver, KEEPER, "reload"), 1);
    driver_send(driver, KEEPER, "{'t':'backed_up','job':%d,'path':'/backups/x.db'}",
                (int)driver_read_number(driver_newest_message(driver, KEEPER, "backup"), "job"));
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "ok"), "path"),
                        "/backups/x.db");
    order_expect_audit_row(driver, "ada backup  ok");
}

static void replaced_messages_are_still_refused_with_their_old_codes(void **state)
{
    static const struct {
        int64_t conn;
        const char *code, *message;
    } refused[] = {
        {BOB, "role", "{'t':'release','name':'eve'}"},
        {MAX, "unknown", "{'t':'release','name':'nobody'}"},
        {MAX, "unknown", "{'t':'release'}"},
        {MAX, "role", "{'t':'registration_set','state':'open'}"},
        {ADA, "bad", "{'t':'registration_set','state':'keep'}"},
        {ADA, "bad", "{'t':'registration_set'}"},
        {ADA, "bad", "{'t':'registration_set','state':''}"},
        {ADA, "bad", "{'t':'registration_set','state':'open // note'}"},
        {MAX, "role", "{'t':'backup'}"},
        {MAX, "role", "{'t':'reload'}"},
        {EVE, "not_host", "{'t':'seat_kick','seat':0}"},
        {BOB, "bad_seat", "{'t':'seat_kick','seat':0}"},
        {BOB, "bad_seat", "{'t':'seat_kick','seat':2}"},
        {BOB, "bad_seat", "{'t':'seat_kick','seat':3}"},
        {ADA, "no_table", "{'t':'seat_kick','seat':1}"},
    };
    struct driver *driver = *state;
    prepare_house(driver, 1);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        driver_no(driver, refused[i].conn, refused[i].code, "%s", refused[i].message);
    }
}

static void protocol_2_does_not_have_the_replaced_messages(UNUSED void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(replaced); i++) {
        void *fresh = NULL;
        assert_int_equal(order_setup(&fresh), 0);
        struct driver *driver = fresh;
        prepare_house(driver, 2);
        const struct replaced *old = &replaced[i];
        assert_int_equal(driver_send(driver, old->conn, "{'t':'%s','id':%d,%s}", old->type,
                                     (int)driver->next_id++, old->fields),
                         HOUSE_END_CONNECTION);
        order_expect_no_audit_row(driver);
        assert_int_equal(driver_teardown(&fresh), 0);
    }
}

static void every_message_that_only_protocol_1_has_is_tested_here(UNUSED void **state)
{
    static const struct {
        const char *type;
        unsigned flags;
    } messages[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) {#type, flags},
#include "lobby/protocol/messages.def"
    };
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        assert_int_equal((messages[i].flags & UNTIL_1) != 0, is_tested_here(messages[i].type));
    }
}

static void the_house_speaks_the_protocol_number_that_hello_requested(void **state)
{
    struct driver *driver = *state;
    for (int number = PROTOCOL_OLDEST; number <= PROTOCOL_NUMBER; number++) {
        driver_connect(driver, LATER, PEER_SESSION);
        driver_send(driver, LATER, "{'t':'hello','protocol':%d}", number);
        assert_int_equal(
            driver_read_number(driver_newest_message(driver, LATER, "welcome"), "protocol"),
            number);
        driver_disconnect(driver, LATER);
    }
}

TEST_GROUP(old_messages)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(messages_of_protocol_1_are_carried_out_as_moderation_commands),
        ORDER_TEST(replaced_messages_are_still_refused_with_their_old_codes),
        cmocka_unit_test(protocol_2_does_not_have_the_replaced_messages),
        cmocka_unit_test(every_message_that_only_protocol_1_has_is_tested_here),
        ORDER_TEST(the_house_speaks_the_protocol_number_that_hello_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
