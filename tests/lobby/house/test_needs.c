#include "lobby/house/parts.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* messages.def lists what the sender of each message needs, such as a seat or a role. For each of
 * these needs, somebody who lacks only that one sends the message and must be refused. */

#define GUEST LATER

static void change_nothing(struct driver *driver)
{
    (void)driver;
}

/* Opens a table of Bob's, at which he and a bot sit and one seat is free; Eve watches. */
static void seat_bob_and_a_bot(struct driver *driver)
{
    (void)driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}");
}

/* Bob is host of a table with free seats but does not sit; Eve watches. */
static void seat_a_bot_and_let_bob_stand(struct driver *driver)
{
    seat_bob_and_a_bot(driver);
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
}

/* Bob is host of a table whose seats are all taken by bots; Eve watches. */
static void fill_table_with_bots(struct driver *driver)
{
    seat_a_bot_and_let_bob_stand(driver);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'medium'}");
}

/* Begins a game in which Bob plays; Eve watches. */
static void begin_game_with_bob(struct driver *driver)
{
    seat_bob_and_a_bot(driver);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
}

static void change_bobs_table_too_often(struct driver *driver)
{
    const json_t *answer = NULL;
    seat_a_bot_and_let_bob_stand(driver);
    for (int i = 0; i < 1000 && strcmp(driver_read_text(answer, "code"), "wait") != 0; i++) {
        answer = driver_request(driver, BOB, "{'t':'table_lock','password':'number %d'}", i);
    }
    assert_string_equal(driver_read_text(answer, "code"), "wait");
}

static void use_up_audit_row_limit(struct driver *driver)
{
    driver->config.limits_audit_burst = 1;
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_sign_in(driver, EVE, "eve");
    seat_bob_and_a_bot(driver);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'mod','line':'ignore max'}");
}

static void suspend_bob(struct driver *driver)
{
    seat_a_bot_and_let_bob_stand(driver);
    order_ok(driver, MAX, "suspend bob 1d swearing");
}

static void let_eve_refuse_to_play_with_bob(struct driver *driver)
{
    seat_bob_and_a_bot(driver);
    order_ok(driver, EVE, "noplay bob");
}

static void require_higher_rating_at_bobs_table(struct driver *driver)
{
    seat_bob_and_a_bot(driver);
    driver_ok(driver, BOB, "{'t':'table_set','fit':{'rating_min':1400}}");
}

static void disable_all_commands(struct driver *driver)
{
    static const char *const commands[] = {
#define NEED(name)
#define MESSAGE(type, peers, phases, flags, commands, ...) commands,
#include "lobby/protocol/messages.def"
    };
    seat_bob_and_a_bot(driver);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (commands[i][0] != '\0') {
            char line[64];
            (void)snprintf(line, sizeof(line), "disable %.*s", (int)strcspn(commands[i], " "),
                           commands[i]);
            order_ok(driver, ADA, line);
        }
    }
}

static void connect_guest(struct driver *driver)
{
    driver_enter_as_guest(driver, GUEST);
}

static void connect_guest_at_turn_by_turn_table(struct driver *driver)
{
    driver_ok(driver, BOB,
              "{'t':'table_open','game':'oh-hell','players':3,'clock':{'kind':'days','days':2}}");
    connect_guest(driver);
    driver_ok(driver, GUEST, "{'t':'table_enter','table':1}");
}

static void set_up_bobs_authenticator(struct driver *driver)
{
    char code[DRIVER_CODE_SIZE];
    char secret[64];
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    (void)snprintf(secret, sizeof(secret), "%s",
                   driver_read_text(driver_ok(driver, BOB, "{'t':'totp_begin'}"), "secret"));
    driver_ok(driver, BOB, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
}

static const struct missing_need {
    const char *need;
    void (*prepare)(struct driver *driver);
    int64_t who;
    const char *fields; /* extra fields of the message */
    const char *code;
} missing_needs[] = {
    {"enabled", disable_all_commands, BOB, "", "off"},
    {"moderator", change_nothing, BOB, "", "role"},
    {"table", change_nothing, EVE, "", "no_table"},
    {"idle_table", change_nothing, EVE, "", "no_table"},
    {"idle_table", begin_game_with_bob, EVE, "", "started"},
    {"hosted_table", change_nothing, EVE, "", "no_table"},
    {"hosted_table", seat_bob_and_a_bot, EVE, "", "not_host"},
    {"own_table", change_nothing, EVE, "", "no_table"},
    {"own_table", seat_bob_and_a_bot, EVE, "", "not_host"},
    {"own_table", begin_game_with_bob, BOB, "", "started"},
    {"seat", seat_bob_and_a_bot, BOB, "", "bad_seat"},
    {"seat", seat_bob_and_a_bot, BOB, ",'seat':3", "bad_seat"},
    {"free_seat", fill_table_with_bots, BOB, "", "full"},
    {"free_seat", seat_a_bot_and_let_bob_stand, BOB, ",'seat':1", "full"},
    {"free_seat", seat_a_bot_and_let_bob_stand, BOB, ",'seat':-1", "bad_seat"},
    {"change_rate", change_bobs_table_too_often, BOB, "", "wait"},
    {"audit", use_up_audit_row_limit, BOB, ",'seat':2", "wait"},
    {"may_sit", suspend_bob, BOB, "", "suspended"},
    {"no_seat", seat_bob_and_a_bot, BOB, "", "seated"},
    {"can_return", connect_guest_at_turn_by_turn_table, GUEST, "", "guest"},
    {"no_block", let_eve_refuse_to_play_with_bob, EVE, "", "full"},
    {"eligibility", require_higher_rating_at_bobs_table, EVE, "", "fit"},
    {"game", seat_bob_and_a_bot, BOB, "", "no_game"},
    {"game", begin_game_with_bob, EVE, "", "no_game"},
    {"replay_lead", change_nothing, EVE, "", "not_leader"},
    {"friends", connect_guest, GUEST, "", "guest"},
    {"vacations", connect_guest, GUEST, "", "guest"},
    {"password", connect_guest, GUEST, "", "guest"},
    {"secret", connect_guest, GUEST, "", "guest"},
    {"no_totp", set_up_bobs_authenticator, BOB, "", "totp_on"},
    {"step_up", change_nothing, BOB, "", "step_up"},
    {"hooks", change_nothing, BOB, "", "no_hooks"},
};

static const struct message {
    const char *type;
    const char *needs[NEEDS_MAX + 1];
} messages[] = {
#define NEED(name) #name,
#define MESSAGE(type, peers, phases, flags, commands, ...) {#type, {__VA_ARGS__ NULL}},
#include "lobby/protocol/messages.def"
};

static void check_sender_without_need_is_refused(const char *type,
                                                 const struct missing_need *missing)
{
    void *state = NULL;
    assert_int_equal(order_setup(&state), 0);
    missing->prepare(state);
    const json_t *answer =
        driver_request(state, missing->who, "{'t':'%s'%s}", type, missing->fields);
    if (strcmp(driver_read_text(answer, "code"), missing->code) != 0) {
        fail_msg("%s without %s: %s", type, missing->need, json_dumps(answer, 0));
    }
    assert_int_equal(driver_teardown(&state), 0);
}

static void a_message_is_refused_to_whoever_lacks_what_it_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        for (const char *const *need = messages[i].needs; *need != NULL; need++) {
            size_t tried = 0;
            for (size_t k = 0; k < ARRAY_LEN(missing_needs); k++) {
                if (strcmp(missing_needs[k].need, *need) == 0) {
                    check_sender_without_need_is_refused(messages[i].type, &missing_needs[k]);
                    tried++;
                }
            }
            if (tried == 0) {
                fail_msg("nobody here lacks %s, which %s needs: add a case", *need,
                         messages[i].type);
            }
        }
    }
}

static void every_need_in_this_test_belongs_to_a_message(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(missing_needs); k++) {
        bool is_needed = false;
        for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
            for (const char *const *need = messages[i].needs; *need != NULL; need++) {
                is_needed = is_needed || strcmp(*need, missing_needs[k].need) == 0;
            }
        }
        if (!is_needed) {
            fail_msg("no message needs %s any longer", missing_needs[k].need);
        }
    }
}

TEST_GROUP(needs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_refused_to_whoever_lacks_what_it_needs),
        cmocka_unit_test(every_need_in_this_test_belongs_to_a_message),
    };
    return cmocka_run_group_tests_name("needs", tests, NULL, NULL);
}
