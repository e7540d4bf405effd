#include "tests/environment.h"
#include "tests/lobby/evening_messages.h"
#include "tests/lobby/seen_by_all.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Every message of messages.def is sent in a house full of people, tables and sanctions. Then the
 * core dies. Everybody must be shown the same by the next core as by the dead one. */

static void everybody_sees_the_same_after_each_message_and_a_restart(void **state)
{
    struct driver *driver = *state;
    const struct evening_message *message = NULL;
    unsigned wrong = 0;
    for (size_t i = 0; (message = evening_message_at(i)) != NULL; i++) {
        char title[200];
        if (!environment_tries(i)) {
            continue;
        }
        (void)snprintf(title, sizeof(title), "%s %s", message->type, message->fields);
        evening_restore_house(driver);
        wrong += !evening_message_send(driver, message, title);
        wrong += !seen_stays_same_over_restart(driver, title);
    }
    assert_int_equal(wrong, 0);
}

static bool is_sent(const char *type)
{
    const struct evening_message *message = NULL;
    for (size_t i = 0; (message = evening_message_at(i)) != NULL; i++) {
        if (strcmp(message->type, type) == 0) {
            return true;
        }
    }
    return false;
}

static void the_test_covers_every_message(void **state)
{
    static const char *const types[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) #type,
#include "lobby/protocol/messages.def"
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (!is_sent(types[i])) {
            fail_msg("%s is not tested over a restart: add it to evening_messages.c", types[i]);
        }
    }
}

TEST_GROUP(restart_messages)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_covers_every_message),
        cmocka_unit_test(everybody_sees_the_same_after_each_message_and_a_restart),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
