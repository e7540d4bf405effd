#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define VIEWS 3

static const int64_t both[] = {ADA, BOB};

/* Two people and two bots play some moves of a game; a third person watches. */
static int64_t begin_watched_game(struct driver *driver, int clock_s)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_enter_as_guest(driver, EVE);
    int64_t table = driver_open_table(driver, ADA, 4, clock_s);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_int_equal(driver_play_moves(driver, both, 2, 37), 37);
    return table;
}

static json_t *copy_newest_view(const struct driver *driver, int64_t conn)
{
    return json_deep_copy(json_object_get(driver_newest_message(driver, conn, "view"), "view"));
}

static void reconnect(struct driver *driver, int64_t conn)
{
    driver_clear_inbox(driver, conn);
    driver_connect(driver, conn, PEER_SESSION);
    assert_int_equal(json_array_size(driver->inbox[conn]), 0);
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':3,'lobby':true}"),
                     HOUSE_OK);
}

/* Returns whether the finished game was shown before the chat line that names its winner. */
static bool was_sent_result_before_winner(const struct driver *driver, int64_t conn)
{
    bool has_seen = false;
    size_t i;
    json_t *told;
    json_array_foreach(driver->inbox[conn], i, told)
    {
        const char *phase = driver_read_text(json_object_get(told, "view"), "phase");
        has_seen = has_seen || strcmp(phase, "over") == 0;
        char *text = json_dumps(told, JSON_COMPACT);
        bool is_word =
            strcmp(driver_read_text(told, "t"), "chat") == 0 && strstr(text, " is over: ") != NULL;
        free(text);
        if (is_word) {
            return has_seen;
        }
    }
    return false;
}

static void the_last_card_is_shown_before_the_chat_names_the_winner(void **state)
{
    struct driver *driver = *state;
    (void)begin_watched_game(driver, 0);
    assert_true(driver_play_moves(driver, both, 2, SIZE_MAX) > 50);
    assert_true(was_sent_result_before_winner(driver, ADA));
    assert_true(was_sent_result_before_winner(driver, BOB));
}

/* Returns the index of the connection's first received message of type `type`; if there is none,
 * the number of messages. */
static size_t find_first_message_index(const struct driver *driver, int64_t conn, const char *type)
{
    size_t index = 0;
    while (index < json_array_size(driver->inbox[conn]) &&
           strcmp(driver_read_text(json_array_get(driver->inbox[conn], index), "t"), type) != 0) {
        index++;
    }
    return index;
}

static void after_a_restart_the_table_is_sent_before_the_lobby(void **state)
{
    struct driver *driver = *state;
    (void)begin_watched_game(driver, 0);
    driver_restart_core(driver);
    reconnect(driver, ADA);
    size_t lobby = find_first_message_index(driver, ADA, "lobby");
    assert_true(find_first_message_index(driver, ADA, "table") < lobby);
    assert_true(find_first_message_index(driver, ADA, "view") < lobby);
    assert_true(lobby < json_array_size(driver->inbox[ADA]));
}

static void after_a_restart_everybody_sees_the_same_trick(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_watched_game(driver, 0);
    json_t *before[VIEWS];
    json_t *sheet = json_deep_copy(driver_newest_message(driver, ADA, "sheet"));
    /* The bots' latest moves have been requested and made already, so everybody has been sent the
     * newest step. */
    for (int64_t i = 0; i < VIEWS; i++) {
        before[i] = copy_newest_view(driver, ADA + i);
    }
    driver_restart_core(driver);
    for (int64_t i = 0; i < VIEWS; i++) {
        reconnect(driver, ADA + i);
        const json_t *welcome = driver_newest_message(driver, ADA + i, "welcome");
        assert_string_equal(driver_read_text(welcome, "phase"), "in");
        json_t *after = copy_newest_view(driver, ADA + i);
        assert_true(json_equal(before[i], after));
        json_decref(before[i]);
        json_decref(after);
        assert_int_equal(driver_read_number(driver_newest_message(driver, ADA + i, "table"), "id"),
                         table);
    }
    assert_non_null(sheet);
    json_decref(sheet);
    assert_true(driver_play_moves(driver, both, 2, SIZE_MAX) > 50);
    assert_non_null(driver_newest_message(driver, EVE, "result"));
}

static void messages_before_hello_are_skipped_and_a_repeated_move_is_made_once(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_watched_game(driver, 0);
    /* Ada and Bob play until it is Ada's turn. */
    int64_t step = -1;
    char move[MOVE_TEXT_MAX] = "";
    for (int i = 0; i < 200 && move[0] == '\0'; i++) {
        const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
        const char *legal = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
        if (legal != NULL) {
            step = driver_read_number(view, "step");
            (void)snprintf(move, sizeof(move), "%s", legal);
        } else {
            (void)driver_play_moves(driver, &both[1], 1, 1);
        }
    }
    assert_true(move[0] != '\0');
    char request[256];
    driver->next_id = 9001;
    (void)snprintf(request, sizeof(request),
                   "{'t':'move','id':9000,'table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}",
                   table, step, move);
    assert_int_equal(driver_send(driver, ADA, "%s", request), HOUSE_OK);
    assert_string_equal(driver_read_text(driver_find_answer(driver, ADA, 9000), "t"), "ok");
    driver_restart_core(driver);
    driver_clear_inbox(driver, ADA);
    driver_connect(driver, ADA, PEER_SESSION);
    assert_int_equal(driver_send(driver, ADA, "%s", request), HOUSE_OK);
    assert_null(driver_find_answer(driver, ADA, 9000));
    assert_int_equal(driver_send(driver, ADA, "{'t':'hello','protocol':3,'lobby':true}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, ADA, "%s", request), HOUSE_OK);
    assert_string_equal(driver_read_text(driver_find_answer(driver, ADA, 9000), "t"), "ok");
    const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    assert_true(driver_read_number(view, "step") > step);
    /* A different move at the same step is not a repeated request. */
    driver_no(driver, ADA, "stale", "{'t':'move','table':%" PRId64 ",'step':0,'move':'%s'}", table,
              "nonsense");
}

static void after_a_restart_clocks_continue_where_they_were(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_watched_game(driver, 30);
    (void)table;
    int64_t waited = 0;
    const json_t *clock = NULL;
    while (waited < 20000) {
        const json_t *view = driver_newest_message(driver, EVE, "view");
        clock = json_object_get(view, "clock");
        if (json_is_object(clock)) {
            break;
        }
        driver_pass_time(driver, 100);
        waited += 100;
    }
    assert_true(json_is_object(clock));
    int64_t left_ms = driver_read_number(clock, "left_ms");
    driver_pass_time(driver, 7000);
    driver_restart_core(driver);
    reconnect(driver, EVE);
    clock = json_object_get(driver_newest_message(driver, EVE, "view"), "clock");
    assert_in_range(driver_read_number(clock, "left_ms"), left_ms - 7200, left_ms - 5900);
    assert_int_equal(driver_read_number(clock, "of_ms"), 30000);
}

static void a_finished_table_shows_its_result_after_a_restart(void **state)
{
    struct driver *driver = *state;
    (void)begin_watched_game(driver, 30);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    json_t *before = json_deep_copy(driver_newest_message(driver, ADA, "result"));
    assert_non_null(before);
    driver_restart_core(driver);
    reconnect(driver, ADA);
    assert_true(json_equal(before, driver_newest_message(driver, ADA, "result")));
    json_decref(before);
}

static void after_a_restart_an_unregistered_person_with_a_key_can_still_sign_up(void **state)
{
    struct driver *driver = *state;
    driver_connect_session(driver, ADA);
    driver_ok(driver, ADA,
              "{'t':'sign_in','method':'key','name':'ada',"
              "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:x'}}");
    driver_restart_core(driver);
    reconnect(driver, ADA);
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "welcome"), "phase"),
                        "visitor");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
}

static const char sign_in_again[] = "{'t':'sign_in','id':7,'method':'guest'}";

static void a_repeated_sign_in_is_answered_again(void **state)
{
    struct driver *driver = *state;
    driver_connect_session(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "%s", sign_in_again), HOUSE_OK);
    char name[64];
    const json_t *you = json_object_get(driver_find_answer(driver, ADA, 7), "you");
    (void)snprintf(name, sizeof(name), "%s", driver_read_text(you, "name"));
    driver_clear_inbox(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "{'t':'hello','protocol':3,'lobby':true}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, ADA, "%s", sign_in_again), HOUSE_OK);
    you = json_object_get(driver_find_answer(driver, ADA, 7), "you");
    assert_string_equal(driver_read_text(you, "name"), name);
}

static void the_next_core_answers_a_repeated_sign_in(void **state)
{
    struct driver *driver = *state;
    driver_connect_session(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "%s", sign_in_again), HOUSE_OK);
    driver_restart_core(driver);
    reconnect(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "%s", sign_in_again), HOUSE_OK);
    const json_t *answer = driver_find_answer(driver, ADA, 7);
    assert_string_equal(driver_read_text(answer, "result"), "in");
    assert_true(json_is_object(json_object_get(answer, "you")));
}

static void somebody_signed_in_cannot_sign_in_again(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "{'t':'sign_in','id':70,'method':'guest'}"),
                     HOUSE_END_CONNECTION);
}

static void a_connection_that_ended_during_a_restart_is_not_restored(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_restart_core(driver);
    reconnect(driver, BOB);
    driver_connect(driver, 5, PEER_GATE);
    assert_int_equal(driver_send(driver, 5, "{'t':'hello','protocol':3,'lobby':true}"), HOUSE_OK);
    assert_int_equal(
        driver_send(driver, 5, "{'t':'connection','conn':11,'address':'::1','transport':'ssh'}"),
        HOUSE_OK);
    assert_int_equal(driver_send(driver, 5, "{'t':'connections_end'}"), HOUSE_OK);
    driver_connect_session(driver, ADA);
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "welcome"), "phase"),
                        "door");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "welcome"), "phase"),
                        "in");
}

static void after_a_lost_message_a_resync_sends_everything_again(void **state)
{
    struct driver *driver = *state;
    (void)begin_watched_game(driver, 0);
    json_t *before = copy_newest_view(driver, BOB);
    driver_clear_inbox(driver, BOB);
    house_note_output_dropped(driver->house, BOB);
    house_note_output_dropped(driver->house, BOB);
    driver_ok(driver, EVE, "{'t':'say','to':'table','kind':'say','text':'hello?'}");
    assert_int_equal(json_array_size(driver->inbox[BOB]), 1);
    assert_non_null(driver_newest_message(driver, BOB, "resync"));
    assert_null(driver_request(driver, BOB, "{'t':'ping'}"));
    assert_int_equal(driver_send(driver, BOB, "{'t':'hello','protocol':3,'lobby':true}"), HOUSE_OK);
    json_t *after = copy_newest_view(driver, BOB);
    assert_true(json_equal(before, after));
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"),
                        "hello?");
    json_decref(before);
    json_decref(after);
}

static void after_a_restart_only_chat_lines_not_yet_received_are_sent(void **state)
{
    static const char *const words[] = {"one", "two", "three"};
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (size_t i = 0; i < 3; i++) {
        driver_ok(driver, ADA, "{'t':'say','to':'lobby','kind':'say','text':'%s'}", words[i]);
    }
    int64_t last = driver_read_number(driver_newest_message(driver, ADA, "chat"), "n");
    driver_restart_core(driver);
    reconnect(driver, ADA);
    assert_int_equal(driver_count_messages(driver, ADA, "chat"), 3);
    for (int64_t missed = 0; missed < 2; missed++) {
        driver_restart_core(driver);
        driver_clear_inbox(driver, ADA);
        driver_connect(driver, ADA, PEER_SESSION);
        (void)driver_send(driver, ADA, "{'t':'hello','protocol':3,'heard':%" PRId64 "}",
                          last - missed);
        assert_int_equal(driver_count_messages(driver, ADA, "chat"), missed);
    }
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "text"),
                        "three");
}

static int64_t read_history_format_of_newest_view(const struct driver *driver)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, ADA, "view"), "view"),
                              "format");
}

static void a_table_whose_game_has_another_format_is_closed_by_the_next_core(void **state)
{
    struct driver *driver = *state;
    (void)begin_watched_game(driver, 0);
    assert_int_equal(read_history_format_of_newest_view(driver), GAME_FORMAT);
    driver_restart_after_sql(driver, "UPDATE games SET format = 2");
    reconnect(driver, ADA);
    assert_int_equal(driver_count_messages(driver, ADA, "view"), 0);
    driver_no(driver, ADA, "no_table", "{'t':'pause'}");
}

TEST_GROUP(restart)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(after_a_restart_everybody_sees_the_same_trick),
        DRIVER_TEST(after_a_restart_the_table_is_sent_before_the_lobby),
        DRIVER_TEST(after_a_restart_only_chat_lines_not_yet_received_are_sent),
        DRIVER_TEST(messages_before_hello_are_skipped_and_a_repeated_move_is_made_once),
        DRIVER_TEST(the_last_card_is_shown_before_the_chat_names_the_winner),
        DRIVER_TEST(a_table_whose_game_has_another_format_is_closed_by_the_next_core),
        DRIVER_TEST(after_a_restart_clocks_continue_where_they_were),
        DRIVER_TEST(a_finished_table_shows_its_result_after_a_restart),
        DRIVER_TEST(after_a_restart_an_unregistered_person_with_a_key_can_still_sign_up),
        DRIVER_TEST(a_repeated_sign_in_is_answered_again),
        DRIVER_TEST(the_next_core_answers_a_repeated_sign_in),
        DRIVER_TEST(somebody_signed_in_cannot_sign_in_again),
        DRIVER_TEST(a_connection_that_ended_during_a_restart_is_not_restored),
        DRIVER_TEST(after_a_lost_message_a_resync_sends_everything_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
