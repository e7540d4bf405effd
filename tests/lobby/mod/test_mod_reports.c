#include "storage/chat/chat.h"
#include "storage/sql/sql.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests reports, what staff do with them, and blocks between players. */

#define SAY(text) "{'t':'say','to':'lobby','kind':'say','text':'" text "'}"

static void a_report_includes_the_chat_and_is_closed_with_an_answer(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, SAY("you all cheat"));
    order_ok(driver, BOB, "report eve abuse she insults everybody");
    order_expect_audit_row(driver, "bob report eve ok");
    order_expect_message(driver, MAX, "notice", "she insults everybody");
    assert_non_null(strstr(order_ok(driver, MAX, "reports"), "bob about eve (abuse)"));
    assert_non_null(strstr(order_ok(driver, MAX, "reports 1"), "you all cheat"));
    order_expect_audit_row(driver, "max reports  ok");
    order_ok(driver, MAX, "take 1");
    order_expect_audit_row(driver, "max take eve ok");
    order_ok(driver, MAX, "comment 1 seen that before");
    order_expect_audit_row(driver, "max comment eve ok");
    assert_non_null(strstr(order_ok(driver, ADA, "reports 1"), "seen that before"));
    order_ok(driver, MAX, "resolve 1 we talked to her");
    order_expect_audit_row(driver, "max resolve eve ok");
    order_expect_message(driver, BOB, "notice", "we talked to her");
    assert_non_null(strstr(order_ok(driver, BOB, "reports mine"), "we talked to her"));
    assert_non_null(strstr(order_ok(driver, MAX, "reports open"), "No report"));
    assert_non_null(strstr(order_ok(driver, MAX, "reports all"), "resolved"));
    order_no(driver, MAX, "bad", "take 1");
}

static void a_report_shows_only_the_direct_messages_that_its_author_chose(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, SAY("good evening"));
    order_no(driver, BOB, "bad", "report eve abuse pm=2 she threatens me");
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'first words'}");
    driver_ok(driver, EVE, "{'t':'tell','to':'ada','text':'to somebody else'}");
    driver_ok(driver, BOB, "{'t':'tell','to':'eve','text':'leave me'}");
    driver_ok(driver, BOB, "{'t':'tell','to':'ada','text':'bob to ada'}");
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'I find you'}");
    order_no(driver, BOB, "bad", "report eve abuse pm=x she threatens me");
    order_no(driver, BOB, "bad", "report eve abuse pm=0 she threatens me");
    assert_non_null(strstr(order_ok(driver, BOB, "report eve abuse pm=2 she threatens me"),
                           "Staff see 2 direct messages"));
    const char *said = order_ok(driver, MAX, "reports 1");
    assert_non_null(strstr(said, "bob: leave me"));
    assert_non_null(strstr(said, "eve: I find you"));
    assert_null(strstr(said, "first words"));
    assert_null(strstr(said, "somebody else"));
    assert_null(strstr(said, "bob to ada"));
    assert_null(strstr(said, "good evening"));
    assert_null(strstr(order_ok(driver, ADA, "audit verb=report"), "I find you"));
}

/* The audit log is never deleted, a case is. */
static void what_players_write_to_staff_is_not_copied_to_the_audit_log(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve abuse secretword");
    order_ok(driver, MAX, "take 1");
    order_ok(driver, MAX, "comment 1 seen");
    order_ok(driver, MAX, "resolve 1 done");
    order_ok(driver, MAX, "mute eve 1d capitals");
    order_ok(driver, EVE, "appeal secretword");
    order_ok(driver, MAX, "resolve 2 so be it");
    int64_t rows = -1;
    assert_int_equal(
        sql_read_number(driver->storage,
                        "SELECT count(*) FROM audit WHERE arguments LIKE '%secretword%'"
                        " OR reason LIKE '%secretword%' OR note LIKE '%secretword%' OR"
                        " state_before LIKE '%secretword%'"
                        " OR state_after LIKE '%secretword%'",
                        &rows),
        STORAGE_OK);
    assert_int_equal(rows, 0);
    assert_non_null(strstr(order_ok(driver, MAX, "reports 1"), "secretword"));
    assert_non_null(strstr(order_ok(driver, MAX, "reports 2"), "secretword"));
}

static void the_longest_report_and_its_answer_are_shown_whole(void **state)
{
    struct driver *driver = *state;
    char letters[376] = "", line[500];
    for (size_t len = 0; len + 3 < sizeof letters; len += 3) {
        (void)snprintf(letters + len, sizeof letters - len, "%s", "\xe2\x82\xac");
    }
    (void)snprintf(line, sizeof line, "report eve spam %s", letters);
    order_ok(driver, BOB, line);
    (void)snprintf(line, sizeof line, "resolve 1 %s", letters);
    order_ok(driver, MAX, line);
    const char *said = order_ok(driver, MAX, "reports all");
    assert_non_null(strstr(said, "1 · resolved"));
    const char *text = strstr(said, letters);
    assert_non_null(text);
    assert_non_null(strstr(text + 1, letters));
}

static void a_report_cannot_be_dismissed_by_the_person_it_is_about(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report max abuse he mutes everybody");
    order_no(driver, MAX, "self", "dismiss 1 nonsense");
    order_ok(driver, ADA, "dismiss 1 he may");
    order_expect_audit_row(driver, "ada dismiss max ok");
}

static void whoever_takes_a_report_over_reads_who_had_it(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve spam cards");
    assert_null(strstr(order_ok(driver, MAX, "take 1"), "before"));
    assert_null(strstr(order_ok(driver, MAX, "take 1"), "before"));
    assert_non_null(strstr(order_ok(driver, ADA, "take 1"), "max did so before"));
}

static void reports_are_limited_to_ten_a_day_and_need_a_category(void **state)
{
    struct driver *driver = *state;
    order_no(driver, BOB, "bad", "report eve rude she is");
    order_no(driver, BOB, "self", "report bob spam me");
    for (int i = 0; i < 10; i++) {
        driver_pass_time(driver, 5000);
        order_ok(driver, BOB, "report eve spam again");
    }
    order_no(driver, BOB, "too_many", "report eve spam again");
    driver_pass_time(driver, 86400000);
    order_ok(driver, BOB, "report eve spam again");
    driver_enter_as_guest(driver, LATER);
    order_no(driver, LATER, "guest", "report eve spam hm");
}

static void players_see_only_their_own_reports(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve spam again");
    assert_non_null(strstr(order_ok(driver, EVE, "reports"), "reported nobody"));
    order_no(driver, EVE, "role", "reports open");
    order_no(driver, EVE, "role", "reports 1");
    order_no(driver, EVE, "role", "take 1");
    order_no(driver, EVE, "role", "desk");
}

static void an_appeal_is_listed_with_the_reports(void **state)
{
    struct driver *driver = *state;
    order_no(driver, BOB, "unknown", "appeal please");
    order_ok(driver, MAX, "mute bob 1d shouting");
    order_ok(driver, BOB, "appeal it was my keyboard");
    order_expect_audit_row(driver, "bob appeal  ok");
    order_expect_message(driver, MAX, "notice", "my keyboard");
    order_no(driver, BOB, "too_many", "appeal again");
    assert_non_null(strstr(order_ok(driver, MAX, "reports"), "my keyboard"));
}

static void the_moderators_screen_shows_reports_people_and_actions(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve spam again");
    order_ok(driver, MAX, "mute eve 1d spam");
    const char *said = order_ok(driver, MAX, "desk");
    assert_non_null(strstr(said, "bob about eve (spam)"));
    assert_non_null(strstr(said, "here: eve (muted)"));
    assert_non_null(strstr(said, "max mute eve: spam"));
}

static void the_chat_of_an_ignored_person_is_hidden_without_their_knowledge(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "ignore eve");
    order_expect_audit_row(driver, "bob ignore eve ok");
    order_ok(driver, BOB, "ignore eve");
    driver_clear_inbox(driver, BOB);
    driver_ok(driver, EVE, SAY("hello all"));
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'hello you'}");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 0);
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    driver_ok(driver, EVE, SAY("still nobody?"));
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    order_ok(driver, BOB, "unignore eve");
    order_expect_audit_row(driver, "bob unignore eve ok");
    driver_ok(driver, EVE, SAY("at last"));
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    order_no(driver, BOB, "unknown", "unignore eve");
    order_no(driver, BOB, "self", "ignore bob");
}

static void two_people_cannot_sit_at_one_table_if_one_blocks_play_with_the_other(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    order_ok(driver, BOB, "noplay eve");
    order_expect_audit_row(driver, "bob noplay eve ok");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_no(driver, EVE, "full", "{'t':'seat_take'}");
    order_ok(driver, BOB, "unnoplay eve");
    order_expect_audit_row(driver, "bob unnoplay eve ok");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
}

#define SEEK                                                                                       \
    "{'t':'table_open','game':'oh-hell','players':3,'options':{},'fit':{'finished_min':50}}"

/* Returns whether the house tells eve that she may sit at the table. It tells her twice, in the
 * list of tables and in the answer to `why`; checks that both agree. */
static bool eve_is_told_she_may_sit(struct driver *driver, int64_t table)
{
    size_t i;
    json_t *id;
    bool is_unfit = false;
    driver_pass_time(driver, 200);
    json_array_foreach(json_object_get(driver_newest_message(driver, EVE, "unfit"), "tables"), i,
                       id)
    {
        is_unfit = is_unfit || json_integer_value(id) == table;
    }
    const json_t *answer = driver_ok(driver, EVE, "{'t':'why','table':%d}", (int)table);
    assert_int_equal(json_is_true(json_object_get(answer, "can_sit")), !is_unfit);
    if (is_unfit) {
        assert_null(strstr(driver_read_text(answer, "why"), "bob"));
        assert_null(strstr(driver_read_text(answer, "why"), "ada"));
        assert_non_null(strstr(driver_read_text(answer, "why"), "no seat for you"));
    }
    return !is_unfit;
}

static void a_person_blocked_from_play_is_offered_no_seat_at_the_table(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    assert_true(eve_is_told_she_may_sit(driver, table));
    order_ok(driver, BOB, "noplay eve");
    assert_false(eve_is_told_she_may_sit(driver, table));
    order_ok(driver, BOB, "unnoplay eve");
    assert_true(eve_is_told_she_may_sit(driver, table));
    order_ok(driver, EVE, "noplay bob");
    assert_false(eve_is_told_she_may_sit(driver, table));
    driver_ok(driver, ADA, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, ADA, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    assert_true(eve_is_told_she_may_sit(driver, table));
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    assert_false(eve_is_told_she_may_sit(driver, table));
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    assert_false(eve_is_told_she_may_sit(driver, table));
}

static void a_table_that_seeks_players_is_announced_only_to_eligible_people(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, BOB, SEEK);
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 1);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    order_ok(driver, BOB, "noplay eve");
    driver_pass_time(driver, 60000);
    driver_ok(driver, BOB, SEEK);
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 1);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    order_ok(driver, BOB, "unnoplay eve");
    order_ok(driver, EVE, "ignore bob");
    driver_pass_time(driver, 60000);
    driver_ok(driver, BOB, SEEK);
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 1);
    order_ok(driver, EVE, "unignore bob");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, 60000);
    driver_ok(driver, BOB, SEEK);
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 2);
}

static void no_invitation_is_sent_to_somebody_whom_a_player_at_the_table_blocks(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, ADA, "{'t':'seat_take'}");
    order_ok(driver, ADA, "noplay eve");
    order_ok(driver, BOB, "invite eve");
    assert_int_equal(driver_count_messages(driver, EVE, "invite"), 0);
}

static void offline_messages_of_ignored_people_are_not_stored(void **state)
{
    struct driver *driver = *state;
    struct storage_account bob;
    int64_t count = -1;
    int64_t count_from = -1;
    order_ok(driver, BOB, "ignore eve");
    driver_disconnect(driver, BOB);
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'listen'}");
    assert_int_equal(storage_account_by_name(driver->storage, "bob", &bob), STORAGE_OK);
    assert_int_equal(
        storage_offline_messages_count(driver->storage, bob.id, "eve", &count, &count_from),
        STORAGE_OK);
    assert_int_equal(count, 0);
    driver_ok(driver, MAX, "{'t':'tell','to':'bob','text':'hello'}");
    assert_int_equal(
        storage_offline_messages_count(driver->storage, bob.id, "max", &count, &count_from),
        STORAGE_OK);
    assert_int_equal(count, 1);
}

static void a_renamed_moderator_cannot_close_the_report_about_them(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report max abuse he mutes everybody");
    order_ok(driver, ADA, "rename max maxi a nicer name");
    order_no(driver, MAX, "self", "dismiss 1 nonsense");
    order_expect_audit_row(driver, "maxi dismiss max denied");
    order_ok(driver, ADA, "dismiss 1 looked into");
}

TEST_GROUP(mod_reports)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_report_includes_the_chat_and_is_closed_with_an_answer),
        ORDER_TEST(a_report_shows_only_the_direct_messages_that_its_author_chose),
        ORDER_TEST(what_players_write_to_staff_is_not_copied_to_the_audit_log),
        ORDER_TEST(the_longest_report_and_its_answer_are_shown_whole),
        ORDER_TEST(a_report_cannot_be_dismissed_by_the_person_it_is_about),
        ORDER_TEST(whoever_takes_a_report_over_reads_who_had_it),
        ORDER_TEST(reports_are_limited_to_ten_a_day_and_need_a_category),
        ORDER_TEST(players_see_only_their_own_reports),
        ORDER_TEST(an_appeal_is_listed_with_the_reports),
        ORDER_TEST(the_moderators_screen_shows_reports_people_and_actions),
        ORDER_TEST(the_chat_of_an_ignored_person_is_hidden_without_their_knowledge),
        ORDER_TEST(two_people_cannot_sit_at_one_table_if_one_blocks_play_with_the_other),
        ORDER_TEST(a_person_blocked_from_play_is_offered_no_seat_at_the_table),
        ORDER_TEST(a_table_that_seeks_players_is_announced_only_to_eligible_people),
        ORDER_TEST(no_invitation_is_sent_to_somebody_whom_a_player_at_the_table_blocks),
        ORDER_TEST(a_renamed_moderator_cannot_close_the_report_about_them),
        ORDER_TEST(offline_messages_of_ignored_people_are_not_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
