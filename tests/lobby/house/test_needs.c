#include "lobby/house/messages.h"
#include "tests/lobby/order_driver.h"

#include <stdlib.h>
#include <string.h>

/* Every message of messages.def with a need is sent by somebody who lacks it, but has what the
 * message needs before it.
 */

#define GUEST LATER

static void nowhere(struct driver *driver)
{
    (void)driver;
}

/* Bob is host of a table with one free seat, where he sits; Eve watches. */
static void at_table(struct driver *driver)
{
    (void)driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}");
}

/* The same, but Bob stands. */
static void standing(struct driver *driver)
{
    at_table(driver);
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
}

/* The same, but every seat is taken by a bot. */
static void at_full_table(struct driver *driver)
{
    standing(driver);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'careful'}");
}

/* Bob plays, Eve watches. */
static void in_game(struct driver *driver)
{
    at_table(driver);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
}

static void after_many_changes(struct driver *driver)
{
    const json_t *answer = NULL;
    standing(driver);
    for (int i = 0; i < 1000 && strcmp(driver_text(answer, "code"), "wait") != 0; i++) {
        answer = driver_ask(driver, BOB, "{'t':'table_lock','password':'number %d'}", i);
    }
    assert_string_equal(driver_text(answer, "code"), "wait");
}

static void after_many_orders(struct driver *driver)
{
    driver->config.limits_audit_burst = 1;
    driver_restart(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_sign_in(driver, EVE, "eve");
    at_table(driver);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'mod','line':'ignore max'}");
}

static void suspended(struct driver *driver)
{
    standing(driver);
    order_ok(driver, MAX, "suspend bob 1d swearing");
}

static void blocked(struct driver *driver)
{
    at_table(driver);
    order_ok(driver, EVE, "noplay bob");
}

static void below_the_table(struct driver *driver)
{
    at_table(driver);
    driver_ok(driver, BOB, "{'t':'table_set','fit':{'rating_min':1400}}");
}

static void with_everything_disabled(struct driver *driver)
{
    static const char *const commands[] = {
#define NEED(name)
#define MESSAGE(type, peers, phases, flags, commands, ...) commands,
#include "lobby/protocol/messages.def"
    };
    at_table(driver);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (commands[i][0] != '\0') {
            char line[64];
            (void)snprintf(line, sizeof(line), "disable %.*s", (int)strcspn(commands[i], " "),
                           commands[i]);
            order_ok(driver, ADA, line);
        }
    }
}

static void guest(struct driver *driver)
{
    driver_guest(driver, GUEST);
}

static void guest_at_slow_table(struct driver *driver)
{
    driver_ok(driver, BOB,
              "{'t':'table_open','game':'oh-hell','players':3,'clock':{'kind':'days','days':2}}");
    guest(driver);
    driver_ok(driver, GUEST, "{'t':'table_enter','table':1}");
}

static void with_codes(struct driver *driver)
{
    char code[DRIVER_CODE_SIZE];
    char secret[64];
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    (void)snprintf(secret, sizeof(secret), "%s",
                   driver_text(driver_ok(driver, BOB, "{'t':'totp_begin'}"), "secret"));
    driver_ok(driver, BOB, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_code(driver, secret, 0, code));
}

static const struct lack {
    const char *need;
    void (*come_to)(struct driver *driver);
    int64_t who;
    const char *fields; /* of the message */
    const char *code;
} lacks[] = {
    {"enabled", with_everything_disabled, BOB, "", "off"},
    {"moderator", nowhere, BOB, "", "role"},
    {"table", nowhere, EVE, "", "no_table"},
    {"idle_table", nowhere, EVE, "", "no_table"},
    {"idle_table", in_game, EVE, "", "started"},
    {"own_table", nowhere, EVE, "", "no_table"},
    {"own_table", at_table, EVE, "", "not_host"},
    {"own_table", in_game, BOB, "", "started"},
    {"seat", at_table, BOB, "", "bad_seat"},
    {"seat", at_table, BOB, ",'seat':3", "bad_seat"},
    {"free_seat", at_full_table, BOB, "", "full"},
    {"free_seat", standing, BOB, ",'seat':1", "full"},
    {"free_seat", standing, BOB, ",'seat':-1", "bad_seat"},
    {"change_rate", after_many_changes, BOB, "", "wait"},
    {"audit", after_many_orders, BOB, ",'seat':2", "wait"},
    {"may_sit", suspended, BOB, "", "suspended"},
    {"no_seat", at_table, BOB, "", "seated"},
    {"can_return", guest_at_slow_table, GUEST, "", "guest"},
    {"no_block", blocked, EVE, "", "full"},
    {"eligibility", below_the_table, EVE, "", "fit"},
    {"game", at_table, BOB, "", "no_game"},
    {"game", in_game, EVE, "", "no_game"},
    {"replay_lead", nowhere, EVE, "", "not_leader"},
    {"friends", guest, GUEST, "", "guest"},
    {"vacations", guest, GUEST, "", "guest"},
    {"password", guest, GUEST, "", "guest"},
    {"secret", guest, GUEST, "", "guest"},
    {"no_totp", with_codes, BOB, "", "totp_on"},
    {"step_up", nowhere, BOB, "", "step_up"},
    {"hooks", nowhere, BOB, "", "no_hooks"},
};

static const struct message {
    const char *type;
    bool is_old; /* protocol 1 alone has it */
    const char *needs[NEEDS_MAX + 1];
} messages[] = {
#define NEED(name) #name,
#define MESSAGE(type, peers, phases, flags, commands, ...)                                         \
    {#type, ((flags)&UNTIL_1) != 0, {__VA_ARGS__ NULL}},
#include "lobby/protocol/messages.def"
};

static void try_without(const char *type, bool is_old, const struct lack *lack)
{
    void *state = NULL;
    assert_int_equal(order_setup(&state), 0);
    lack->come_to(state);
    if (is_old) {
        driver_send(state, lack->who, "{'t':'hello','protocol':1}");
    }
    const json_t *answer = driver_ask(state, lack->who, "{'t':'%s'%s}", type, lack->fields);
    if (strcmp(driver_text(answer, "code"), lack->code) != 0) {
        fail_msg("%s without %s: %s", type, lack->need, json_dumps(answer, 0));
    }
    assert_int_equal(driver_teardown(&state), 0);
}

static void a_message_is_refused_to_whoever_lacks_what_it_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        for (const char *const *need = messages[i].needs; *need != NULL; need++) {
            size_t tried = 0;
            for (size_t k = 0; k < ARRAY_LEN(lacks); k++) {
                if (strcmp(lacks[k].need, *need) == 0) {
                    try_without(messages[i].type, messages[i].is_old, &lacks[k]);
                    tried++;
                }
            }
            if (tried == 0) {
                fail_msg("who lacks %s, which %s needs? List it here.", *need, messages[i].type);
            }
        }
    }
}

static void every_need_is_of_some_message(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(lacks); k++) {
        bool is_needed = false;
        for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
            for (const char *const *need = messages[i].needs; *need != NULL; need++) {
                is_needed = is_needed || strcmp(*need, lacks[k].need) == 0;
            }
        }
        if (!is_needed) {
            fail_msg("no message needs %s any longer", lacks[k].need);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_refused_to_whoever_lacks_what_it_needs),
        cmocka_unit_test(every_need_is_of_some_message),
    };
    return cmocka_run_group_tests_name("needs", tests, NULL, NULL);
}
