#include "lobby/protocol/protocol.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests that nobody can change the decision of somebody of a higher role, by any command. */

#define SAY_IN(place) "{'t':'say','to':'" place "','kind':'say','text':'hello'}"

/* The decisions that an admin takes, and the commands that would undo or change them. */
static const struct decided {
    const char *put;      /* the command that takes the decision */
    const char *tried[4]; /* the commands that change the decision */
    const char *asked;    /* bob's request, refused while the decision is in force; NULL: none */
    const char *code; /* the code with which that request is refused; NULL: there is no request */
} decided[] = {
    {"mute bob 10m why", {"unmute bob why"}, SAY_IN("lobby"), "muted"},
    {"suspend bob 1d why",
     {"unsuspend bob why"},
     "{'t':'table_open','game':'oh-hell','players':3,'options':{}}",
     "suspended"},
    {"hold bob why", {"release bob", "hold bob mine now"}, SAY_IN("lobby"), "held"},
    {"slow lobby 600", {"slow lobby 0", "slow lobby 1"}, SAY_IN("lobby"), "wait"},
    {"freeze lobby on", {"freeze lobby off", "freeze lobby on"}, SAY_IN("lobby"), "frozen"},
    {"freeze #tea on", {"freeze #tea off"}, SAY_IN("#tea"), "frozen"},
    {"rename bob rob why", {"rename rob bob why", "rename rob robby why"}, NULL, NULL},
    {"ban ip=198.51.100.0/24 1d why",
     {"unban ip=198.51.100.0/24 why", "banedit 1 2d why", "banedit 1 1s why"},
     NULL,
     NULL},
    {"ban bob 1d why", {"unban bob why", "banedit 1 2d why"}, NULL, NULL},
};

static void chat_in_lobby_and_channel_as_bob(struct driver *driver)
{
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, BOB, SAY_IN("#tea"));
    driver_ok(driver, BOB, SAY_IN("lobby"));
}

static void expect_decision_in_force(struct driver *driver, const struct decided *decision)
{
    if (decision->asked != NULL) {
        driver_no(driver, BOB, decision->code, "%s", decision->asked);
    }
}

/* Runs the test for each decision in a new house, since one decision may prevent others. */
static void run_for_each_decision(void (*test)(struct driver *driver, const struct decided *row))
{
    for (size_t i = 0; i < ARRAY_LEN(decided); i++) {
        void *state = NULL;
        assert_int_equal(order_setup(&state), 0);
        chat_in_lobby_and_channel_as_bob(state);
        test(state, &decided[i]);
        assert_int_equal(driver_teardown(&state), 0);
    }
}

static void check_no_moderator_can_change_admins_decision(struct driver *driver,
                                                          const struct decided *decision)
{
    order_ok(driver, ADA, decision->put);
    expect_decision_in_force(driver, decision);
    for (size_t i = 0; i < ARRAY_LEN(decision->tried) && decision->tried[i] != NULL; i++) {
        const char *why = order_no(driver, MAX, "role", decision->tried[i]);
        if (strstr(why, "ada") == NULL) {
            fail_msg("%s: \"%s\" does not name whose decision it is", decision->tried[i], why);
        }
        expect_decision_in_force(driver, decision);
    }
    order_ok(driver, ADA, decision->tried[0]);
}

static void a_moderator_cannot_change_an_admins_decision(void **state)
{
    (void)state;
    run_for_each_decision(check_no_moderator_can_change_admins_decision);
}

static void check_moderator_can_change_moderators_decision(struct driver *driver,
                                                           const struct decided *decision)
{
    order_ok(driver, MAX, decision->put);
    expect_decision_in_force(driver, decision);
    order_ok(driver, MAX, decision->tried[0]);
}

static void a_moderator_can_change_another_moderators_decision(void **state)
{
    (void)state;
    run_for_each_decision(check_moderator_can_change_moderators_decision);
}

static void check_no_admin_can_change_owners_decision(struct driver *driver,
                                                      const struct decided *decision)
{
    order_ok(driver, OWNER, decision->put);
    for (size_t i = 0; i < ARRAY_LEN(decision->tried) && decision->tried[i] != NULL; i++) {
        order_no(driver, ADA, "role", decision->tried[i]);
    }
    driver_restart_core(driver);
    driver_connect(driver, OWNER, PEER_OPERATOR);
    assert_int_equal(driver_send(driver, OWNER, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_no(driver, ADA, "role", decision->tried[0]);
    order_ok(driver, OWNER, decision->tried[0]);
}

static void an_owners_decision_survives_a_restart_and_no_admin_can_change_it(void **state)
{
    (void)state;
    run_for_each_decision(check_no_admin_can_change_owners_decision);
}

static void no_moderator_can_change_a_decision_that_an_admin_has_changed(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_ok(driver, ADA, "banedit 1 8d cheating a lot");
    assert_non_null(strstr(order_ok(driver, MAX, "banlist"), "by ada"));
    order_no(driver, MAX, "role", "unban bob a mistake");
    order_no(driver, MAX, "role", "banedit 1 1d a mistake");
    order_ok(driver, MAX, "hold eve too many names");
    order_ok(driver, ADA, "hold eve far too many");
    order_no(driver, MAX, "role", "release eve");
    order_ok(driver, MAX, "slow lobby 30");
    order_ok(driver, ADA, "slow lobby 60");
    order_no(driver, MAX, "role", "slow lobby 0");
    order_ok(driver, MAX, "freeze lobby on");
    order_ok(driver, ADA, "freeze lobby on");
    order_no(driver, MAX, "role", "freeze lobby off");
}

static void a_moderator_cannot_release_an_account_held_by_an_admin(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "hold bob why");
    driver_no(driver, MAX, "role", "{'t':'mod','line':'release bob'}");
    order_expect_audit_rows(driver, 2, "max release bob denied");
    driver_ok(driver, ADA, "{'t':'mod','line':'release bob'}");
    order_expect_audit_row(driver, "ada release bob ok");
    order_ok(driver, MAX, "hold bob why");
    order_ok(driver, MAX, "release bob");
}

static void only_admins_lift_a_ban_from_rated_games(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "rankban bob 7d sandbagging");
    order_no(driver, MAX, "role", "unrankban bob");
    order_ok(driver, ADA, "unrankban bob enough");
    order_expect_audit_row(driver, "ada unrankban bob ok");
    order_expect_message(driver, BOB, "notice", "has lifted");
    order_no(driver, ADA, "unknown", "unrankban bob");
    order_ok(driver, OWNER, "rankban bob 7d sandbagging");
    order_no(driver, ADA, "role", "unrankban bob");
}

static void giving_somebody_the_admin_role_requires_confirmation(void **state)
{
    struct driver *driver = *state;
    const char *why = order_no(driver, ADA, "confirm", "role bob admin helps a lot");
    assert_non_null(strstr(why, "bob"));
    order_no(driver, BOB, "role", "whois eve");
    order_ok(driver, ADA, "yes role bob admin helps a lot");
    order_expect_audit_row(driver, "ada role bob ok");
    order_ok(driver, OWNER, "role bob mod too much");
}

/* Moderators' commands that cannot lift or change a decision of somebody of a higher role, each
 * with the reason why it cannot. */
static const struct harmless {
    const char *command, *why;
} harmless[] = {
    {"desk", "reads"},
    {"reports", "reads"},
    {"banlist", "reads"},
    {"whois", "reads"},
    {"sessions", "reads"},
    {"alts", "reads"},
    {"log", "reads"},
    {"notes", "reads"},
    {"observe", "reads"},
    {"registration", "only admins change it"},
    {"guests", "only admins change it"},
    {"take", "an open report is no decision, and a closed one stays closed"},
    {"comment", "only adds a comment"},
    {"resolve", "see take; lifts sanctions only of one's own role (test_mod_appeals.c)"},
    {"dismiss", "see take"},
    {"note", "only adds a note"},
    {"warn", "only adds a warning, which the warned player ends"},
    {"mute", "leaves an admin's mute in force (test_mod_sanctions.c)"},
    {"suspend", "as mute"},
    {"ban", "only adds a ban: any one ban keeps a player out"},
    {"kick", "ends a connection, but not of a higher role"},
    {"hide", "leaves lines that are hidden already"},
    {"unhide", "leaves lines that an admin hid (test_mod_house.c)"},
    {"adjudicate", "ends a game, which no command can restart"},
};

static bool is_tested_here(const char *command)
{
    size_t len = strlen(command);
    for (size_t i = 0; i < ARRAY_LEN(decided); i++) {
        for (size_t k = 0; k < ARRAY_LEN(decided[i].tried) && decided[i].tried[k] != NULL; k++) {
            if (strncmp(decided[i].tried[k], command, len) == 0 &&
                decided[i].tried[k][len] == ' ') {
                return true;
            }
        }
    }
    return false;
}

static void every_command_of_moderators_is_tested_or_listed_as_harmless(void **state)
{
    const struct mod_command_info *words = NULL;
    (void)state;
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        bool is_named = words->rank != RANK_MOD || is_tested_here(words->name);
        for (size_t k = 0; k < ARRAY_LEN(harmless); k++) {
            is_named = is_named || strcmp(harmless[k].command, words->name) == 0;
        }
        if (!is_named) {
            fail_msg("can /%s lift or change an admin's decision? Test it or list it here",
                     words->name);
        }
    }
}

static void hiding_a_chat_line_twice_is_refused(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, BOB, SAY_IN("lobby"));
    order_ok(driver, ADA, "hide 1 rude");
    order_no(driver, MAX, "bad", "hide 1 mine");
}

static void a_former_name_is_reserved_for_its_account(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "rename bob robert a nicer name");
    order_no(driver, MAX, "name_taken", "rename eve bob why");
    order_no(driver, MAX, "name_taken", "rename eve b0b why");
    driver_connect(driver, LATER, PEER_SESSION);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_ok(driver, LATER,
              "{'t':'sign_in','method':'key','name':'zoe',"
              "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}}");
    driver_no(driver, LATER, "name_taken", "{'t':'name_check','name':'bob'}");
    driver_no(driver, LATER, "name_taken", "{'t':'sign_up','name':'bob'}");
    order_ok(driver, MAX, "rename robert bob it was theirs");
    order_ok(driver, MAX, "rename bob robert again");
    driver_pass_time(driver, 30 * INT64_C(86400000) + 1);
    driver_ok(driver, LATER, "{'t':'name_check','name':'bob'}");
    driver_ok(driver, LATER, "{'t':'sign_up','name':'bob'}");
}

static void the_house_owner_may_assign_a_reserved_name(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "rename bob robert a nicer name");
    order_no(driver, ADA, "name_taken", "rename eve bob why");
    order_ok(driver, OWNER, "rename eve bob they are the real one");
}

static void a_renamed_account_is_found_by_its_old_name(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "rename bob robert a nicer name");
    const char *said = order_ok(driver, MAX, "whois bob");
    assert_non_null(strstr(said, "robert"));
    assert_non_null(strstr(said, "was called bob until"));
    order_expect_audit_row(driver, "max whois robert ok");
    order_ok(driver, MAX, "sessions bob");
    order_no(driver, MAX, "unknown", "mute bob 1h why");
    driver_restart_core(driver);
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    assert_non_null(strstr(order_ok(driver, MAX, "whois bob"), "robert"));
}

static void slow_mode_and_freezing_require_an_existing_channel(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {"freeze #nosuch on", "freeze #nosuch off", "slow #nosuch 5",
                                        "slow #nosuch 0",    "freeze #99 on",      "slow #99 5",
                                        "freeze #99 off",    "slow nosuch 5"};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, MAX, "unknown", lines[i]);
    }
    driver_enter_as_guest(driver, LATER);
    driver_ok(driver, LATER, "{'t':'join','channel':'#nosuch'}");
    order_ok(driver, MAX, "freeze #nosuch on");
    driver_disconnect(driver, LATER);
    order_ok(driver, MAX, "freeze #nosuch off");
}

TEST_GROUP(mod_ranks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moderator_cannot_change_an_admins_decision),
        cmocka_unit_test(a_moderator_can_change_another_moderators_decision),
        cmocka_unit_test(an_owners_decision_survives_a_restart_and_no_admin_can_change_it),
        ORDER_TEST(no_moderator_can_change_a_decision_that_an_admin_has_changed),
        ORDER_TEST(a_moderator_cannot_release_an_account_held_by_an_admin),
        ORDER_TEST(only_admins_lift_a_ban_from_rated_games),
        ORDER_TEST(giving_somebody_the_admin_role_requires_confirmation),
        cmocka_unit_test(every_command_of_moderators_is_tested_or_listed_as_harmless),
        ORDER_TEST(hiding_a_chat_line_twice_is_refused),
        ORDER_TEST(a_former_name_is_reserved_for_its_account),
        ORDER_TEST(the_house_owner_may_assign_a_reserved_name),
        ORDER_TEST(a_renamed_account_is_found_by_its_old_name),
        ORDER_TEST(slow_mode_and_freezing_require_an_existing_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
