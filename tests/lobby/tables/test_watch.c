#include "tests/lobby/table_driver.h"

#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/accounts/accounts.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 20)
#define FAY (DRIVER_FIRST + 21)

#define STEPS_LOOKED 60 /* number of moves of each game that are compared */

/* Opens a table hosted by ADA with the fewest people that the game allows. */
static int64_t open_watched_table(struct driver *driver, const struct game_def *game,
                                  const char *watch_rule)
{
    static const int64_t watchers[] = {EVE, FAY};
    return table_open_for_spectators(driver, game, watch_rule, watchers);
}

static int64_t open_watched_table_of_first_game(struct driver *driver, const char *watch_rule)
{
    int64_t table = open_watched_table(driver, game_at(0), watch_rule);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

/* Reads the view that was last sent to this connection; false if none was sent. */
static bool read_newest_view(const struct driver *driver, int64_t conn, struct game_view *view)
{
    const json_t *message = driver_newest_message(driver, conn, "view");
    return message != NULL && view_read(json_object_get(message, "view"), view);
}

/* All messages to a connection as one text, with the length of the text at each step. */
struct told {
    char *text;
    size_t len;
    size_t at_step[STEPS_LOOKED + 1];
    size_t read; /* how many messages of the inbox have been added to `text` */
};

static void append_new_messages(struct told *told, const struct driver *driver, int64_t conn,
                                size_t step)
{
    for (; told->read < json_array_size(driver->inbox[conn]); told->read++) {
        char *line = json_dumps(json_array_get(driver->inbox[conn], told->read), JSON_SORT_KEYS);
        size_t len = strlen(line);
        told->text = realloc(told->text, told->len + len + 1);
        assert_non_null(told->text);
        memcpy(told->text + told->len, line, len + 1);
        told->len += len;
        free(line);
    }
    told->at_step[step] = told->len;
}

/* Plays the first legal move at each step, and from step `fork` on the last legal move, while
 * people chat. Returns the number of steps, at most STEPS_LOOKED. */
static size_t play_and_record_messages(const struct game_def *game, const char *watch_rule,
                                       size_t fork, struct told *told)
{
    void *state = NULL;
    assert_int_equal(driver_setup(&state), 0);
    struct driver *driver = state;
    int64_t table = open_watched_table(driver, game, watch_rule);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    *told = (struct told){0};
    append_new_messages(told, driver, EVE, 0);
    size_t step = 0;
    while (step < STEPS_LOOKED &&
           table_make_first_or_last_move(driver, table, game, step >= fork)) {
        driver_pass_time(driver, 2000);
        driver_ok(driver, BOB, "{'t':'say','to':'table','text':'%s'}",
                  step >= fork ? "I have changed my ways" : "as before");
        step++;
        append_new_messages(told, driver, EVE, step);
    }
    assert_int_equal(driver_teardown(&state), 0);
    return step;
}

/* Checks that neither the messages to a spectator nor their times depend on a move before its step
 * is shown. */
static void check_messages_depend_only_on_shown_steps(const struct game_def *game,
                                                      const char *watch_rule, size_t moves,
                                                      size_t fork)
{
    struct told one;
    struct told other;
    size_t steps = play_and_record_messages(game, watch_rule, SIZE_MAX, &one);
    size_t other_steps = play_and_record_messages(game, watch_rule, fork, &other);
    assert_true(steps > fork && other_steps > fork);
    size_t last = fork + moves;
    for (size_t step = 0; step <= last && step <= steps && step <= other_steps; step++) {
        assert_int_equal(one.at_step[step], other.at_step[step]);
        assert_memory_equal(one.text, other.text, one.at_step[step]);
    }
    assert_true(one.at_step[steps] >
                one.at_step[0]); /* in the end the messages differ, so the comparison can fail */
    free(one.text);
    free(other.text);
}

static void messages_to_a_delayed_spectator_depend_only_on_steps_already_shown(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        check_messages_depend_only_on_shown_steps(
            game_at(i), "{'policy':'delay','moves':10,'talk':'apart'}", 10, 7);
        check_messages_depend_only_on_shown_steps(
            game_at(i), "{'policy':'delay','moves':3,'talk':'all'}", 3, 21);
        check_messages_depend_only_on_shown_steps(game_at(i), "{'policy':'delay'}", 2,
                                                  7); /* a step within the first round */
    }
}

/* Without a delay, the same comparison finds a difference at once: this shows that the comparison
 * works. */
static void messages_to_a_spectator_without_delay_depend_on_the_last_step(void **state)
{
    (void)state;
    struct told one;
    struct told other;
    (void)play_and_record_messages(game_at(0), "{'policy':'public'}", SIZE_MAX, &one);
    (void)play_and_record_messages(game_at(0), "{'policy':'public'}", 7, &other);
    assert_int_equal(one.at_step[7], other.at_step[7]);
    assert_true(one.at_step[8] != other.at_step[8] ||
                memcmp(one.text, other.text, one.at_step[8]) != 0);
    free(one.text);
    free(other.text);
}

/* Lets spectators with a delay see all moves that they may know now. */
static void let_spectators_catch_up(struct driver *driver)
{
    driver_pass_time(driver, 2 * WATCH_BEAT_MS);
}

/* Checks the step and the round that the spectator sees while the players are ahead. */
static void check_spectator_is_one_round_behind(struct driver *driver, int64_t table,
                                                const struct game_def *game)
{
    struct game_view live;
    struct game_view late;
    size_t behind = 0;
    while (table_make_first_or_last_move(driver, table, game, false)) {
        let_spectators_catch_up(driver);
        assert_true(read_newest_view(driver, ADA, &live) && read_newest_view(driver, EVE, &late));
        if (live.phase != PHASE_OVER) {
            assert_true(late.step < live.step);
            assert_true(late.round < live.round || late.step == 0);
            assert_true(late.round + 1 >= live.round);
            behind += late.step > 0;
            continue;
        }
        assert_int_equal(late.step, live.step);
        assert_int_equal(late.phase, PHASE_OVER);
    }
    assert_true(behind > 0 || live.round == 1);
}

static void a_spectator_one_round_behind_sees_nothing_of_the_current_round(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        void *own = NULL;
        assert_int_equal(driver_setup(&own), 0);
        struct driver *driver = own;
        int64_t table = open_watched_table(driver, game_at(i), "{'policy':'delay'}");
        driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, ADA, "{'t':'table_start'}");
        check_spectator_is_one_round_behind(driver, table, game_at(i));
        assert_non_null(driver_newest_message(driver, EVE, "result"));
        assert_int_equal(driver_teardown(&own), 0);
    }
}

static size_t count_sheet_rows(const struct driver *driver, int64_t conn)
{
    size_t rows = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        if (strcmp(driver_read_text(message, "t"), "sheet") == 0) {
            rows = json_is_true(json_object_get(message, "reset")) ? 0 : rows;
            rows += json_array_size(json_object_get(message, "rows"));
        }
    }
    return rows;
}

static void a_late_spectator_sees_all_finished_rounds(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'delay','moves':5}");
    for (int i = 0; i < 40; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    let_spectators_catch_up(driver);
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    struct game_view early;
    struct game_view late;
    assert_true(read_newest_view(driver, EVE, &early) && read_newest_view(driver, FAY, &late));
    assert_int_equal(late.step, 35);
    assert_int_equal(early.step, 35);
    assert_int_equal(count_sheet_rows(driver, EVE), count_sheet_rows(driver, FAY));
    while (table_make_first_or_last_move(driver, table, game_at(0), false)) {
    }
    assert_int_equal(count_sheet_rows(driver, EVE), count_sheet_rows(driver, ADA));
    assert_int_equal(count_sheet_rows(driver, FAY), count_sheet_rows(driver, ADA));
}

static size_t count_chat_lines(const struct driver *driver, int64_t conn, const char *words)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        count += strcmp(driver_read_text(message, "text"), words) == 0;
    }
    return count;
}

static void a_delayed_spectator_gets_no_delayed_chat_of_people_they_ignore(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'delay','moves':3}");
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, EVE, "{'t':'mod','line':'ignore player1'}");
    for (int i = 0; i < 4; i++) { /* the spectators are behind from now on */
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    driver_ok(driver, BOB, "{'t':'say','to':'table','text':'what a hand'}");
    driver_ok(driver, ADA, "{'t':'say','to':'table','text':'what a game'}");
    assert_int_equal(count_chat_lines(driver, FAY, "what a hand"), 0);
    for (int i = 0; i < 8; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    let_spectators_catch_up(driver);
    assert_int_equal(count_chat_lines(driver, FAY, "what a hand"), 1);
    assert_int_equal(count_chat_lines(driver, EVE, "what a game"), 1);
    assert_int_equal(count_chat_lines(driver, EVE, "what a hand"), 0);
}

/* A line said in the very millisecond of a move may tell of that move, so spectators get it with
 * that move, neither earlier nor twice. */
static void delayed_chat_arrives_with_the_move_it_accompanied(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'delay','moves':3}");
    for (int i = 0; i < 4; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    driver_ok(driver, BOB, "{'t':'say','to':'table','text':'so that was it'}");
    for (int i = 0; i < 2; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
        let_spectators_catch_up(driver);
        driver_ok(driver, EVE, "{'t':'table_leave'}");
        driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
        assert_int_equal(count_chat_lines(driver, EVE, "so that was it"), 0);
    }
    assert_true(table_make_first_or_last_move(
        driver, table, game_at(0), false)); /* spectators get the line three moves later */
    let_spectators_catch_up(driver);
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    struct game_view view;
    assert_true(read_newest_view(driver, EVE, &view));
    assert_int_equal(view.step, 4);
    assert_int_equal(count_chat_lines(driver, EVE, "so that was it"), 1);
    assert_int_equal(count_chat_lines(driver, FAY, "so that was it"), 1);
    assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    assert_int_equal(count_chat_lines(driver, EVE, "so that was it"), 1);
}

static void a_delayed_spectator_is_sent_no_clock(void **state)
{
    struct driver *driver = *state;
    (void)open_watched_table_of_first_game(driver, "{'policy':'delay','moves':5}");
    const json_t *view = driver_newest_message(driver, EVE, "view");
    assert_true(json_is_null(json_object_get(view, "clock")));
    assert_int_equal(json_array_size(json_object_get(view, "times")), 0);
}

/* A timeout or a lost connection would reveal whose turn it is. */
static void a_delayed_spectator_does_not_learn_for_whom_a_bot_plays(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table(driver, game_at(0), "{'policy':'delay','moves':5}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_set','clock':{'kind':'move','move_s':5}}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_pass_time(driver, 1000);
    size_t told = driver_count_messages(driver, EVE, "table");
    bool is_told = false;
    for (int i = 0; i < 100 && !is_told;
         i++) { /* the player whose turn it is times out repeatedly */
        driver_pass_time(driver, 1000);
        const json_t *seats = json_object_get(driver_newest_message(driver, ADA, "table"), "seats");
        for (size_t seat = 0; seat < json_array_size(seats); seat++) {
            is_told |= json_is_true(json_object_get(json_array_get(seats, seat), "played_by_bot"));
        }
    }
    assert_true(is_told);
    assert_int_equal(driver_count_messages(driver, EVE, "table"), told);
}

static void the_spectators_delay_survives_a_restart(void **state)
{
    struct driver *driver = *state;
    int64_t table =
        open_watched_table_of_first_game(driver, "{'policy':'delay','moves':5,'talk':'off'}");
    for (int i = 0; i < 12; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    driver_clear_inbox(driver, EVE);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    struct game_view view;
    assert_true(read_newest_view(driver, EVE, &view));
    assert_int_equal(view.step, 7);
    const json_t *rule = json_object_get(driver_newest_message(driver, EVE, "table"), "watch");
    assert_string_equal(driver_read_text(rule, "policy"), "delay");
    assert_int_equal(driver_read_number(rule, "moves"), 5);
    assert_string_equal(driver_read_text(rule, "talk"), "off");
}

static void the_start_of_a_game_that_nobody_may_watch_removes_everybody_without_a_seat(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'none'}");
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "sent_out"), "table"),
                     table);
    assert_null(driver_newest_message(driver, EVE, "view"));
    driver_no(driver, EVE, "watch", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "sent_out"), "table"),
                     table);
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "watchers"),
                     0);
}

static void only_friends_of_the_players_may_watch_a_friends_table(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table(driver, game_at(0), "{'policy':'friends'}");
    driver_ok(driver, BOB, "{'t':'friend_add','name':'fay'}");
    driver_ok(driver, EVE,
              "{'t':'friend_add','name':'player0'}"); /* Eve added a player as her friend, but no
                                                         player has added Eve */
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_non_null(driver_newest_message(driver, FAY, "view"));
    assert_null(driver_newest_message(driver, FAY, "sent_out"));
    assert_non_null(driver_newest_message(driver, EVE, "sent_out"));
    driver_no(driver, EVE, "watch", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, FAY, "{'t':'table_leave'}");
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
}

static void after_a_game_that_nobody_may_watch_everybody_may_enter_the_table(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'none'}");
    while (table_make_first_or_last_move(driver, table, game_at(0), false)) {
    }
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_non_null(driver_newest_message(driver, EVE, "result"));
}

static void players_hear_spectators_only_if_everybody_may_chat(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'public','talk':'apart'}");
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, EVE, "{'t':'say','to':'table','text':'bob has the ace'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, FAY, "chat"), "text"),
                        "bob has the ace");
    assert_string_not_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "text"),
                            "bob has the ace");
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    for (size_t i = 0; i < json_array_size(driver->inbox[ADA]); i++) {
        const json_t *message = json_array_get(driver->inbox[ADA], i);
        assert_string_not_equal(driver_read_text(message, "text"), "bob has the ace");
    }
}

static void spectators_who_may_not_chat_are_told_so(void **state)
{
    struct driver *driver = *state;
    (void)open_watched_table_of_first_game(driver, "{'policy':'public','talk':'off'}");
    driver_no(driver, EVE, "quiet", "{'t':'say','to':'table','text':'hello'}");
    driver_ok(driver, ADA, "{'t':'say','to':'table','text':'hello'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "chat"), "text"),
                        "hello");
}

static void the_host_sets_who_may_watch_before_the_start(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_watched_table(driver, game_at(0), "{'policy':'public'}");
    driver_no(driver, BOB, "not_host", "{'t':'table_set','watch':{'policy':'none'}}");
    driver_no(driver, ADA, "watch", "{'t':'table_set','watch':{'policy':'foes'}}");
    driver_no(driver, ADA, "watch", "{'t':'table_set','watch':{'policy':'none','moves':3}}");
    driver_no(driver, ADA, "watch", "{'t':'table_set','watch':{'policy':'delay','moves':101}}");
    driver_no(driver, ADA, "watch", "{'t':'table_set','watch':7}");
    driver_ok(driver, ADA, "{'t':'table_set','watch':{'policy':'delay','moves':20}}");
    driver_ok(driver, ADA, "{'t':'table_set','watch':{'talk':'apart'}}");
    driver_pass_time(driver, 1000);
    const json_t *rows = json_object_get(driver_newest_message(driver, EVE, "lobby"), "tables");
    const json_t *rule = json_object_get(json_array_get(rows, 0), "watch");
    assert_string_equal(driver_read_text(rule, "policy"), "delay");
    assert_int_equal(driver_read_number(rule, "moves"), 20);
    assert_string_equal(driver_read_text(rule, "talk"), "apart");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_no(driver, ADA, "started", "{'t':'table_set','watch':{'policy':'public'}}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
}

static void a_chat_line_hidden_before_its_delay_is_over_reaches_no_spectator(void **state)
{
    struct driver *driver = *state;
    struct storage_account fay;
    int64_t table = open_watched_table_of_first_game(driver, "{'policy':'delay','moves':3}");
    assert_int_equal(storage_account_by_name(driver->storage, "fay", &fay), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, fay.id, STORAGE_ROLE_MOD),
                     STORAGE_OK);
    driver_disconnect(driver, FAY);
    driver_sign_in(driver, FAY, "fay");
    driver_ok(driver, FAY, "{'t':'step_up','password':'password of fay'}");
    for (int i = 0; i < 4; i++) { /* the spectators are behind from now on */
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    driver_ok(driver, BOB, "{'t':'say','to':'table','text':'you cheats'}");
    driver_ok(driver, ADA, "{'t':'say','to':'table','text':'what a game'}");
    driver_ok(driver, FAY, "{'t':'mod','line':'hide player1 1 insults'}");
    for (int i = 0; i < 8; i++) {
        assert_true(table_make_first_or_last_move(driver, table, game_at(0), false));
    }
    let_spectators_catch_up(driver);
    assert_int_equal(count_chat_lines(driver, EVE, "what a game"), 1);
    assert_int_equal(count_chat_lines(driver, EVE, "you cheats"), 0);
}

TEST_GROUP(watch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_to_a_delayed_spectator_depend_only_on_steps_already_shown),
        cmocka_unit_test(messages_to_a_spectator_without_delay_depend_on_the_last_step),
        cmocka_unit_test(a_spectator_one_round_behind_sees_nothing_of_the_current_round),
        DRIVER_TEST(a_late_spectator_sees_all_finished_rounds),
        DRIVER_TEST(a_delayed_spectator_gets_no_delayed_chat_of_people_they_ignore),
        DRIVER_TEST(delayed_chat_arrives_with_the_move_it_accompanied),
        DRIVER_TEST(a_delayed_spectator_is_sent_no_clock),
        DRIVER_TEST(a_delayed_spectator_does_not_learn_for_whom_a_bot_plays),
        DRIVER_TEST(the_spectators_delay_survives_a_restart),
        DRIVER_TEST(the_start_of_a_game_that_nobody_may_watch_removes_everybody_without_a_seat),
        DRIVER_TEST(only_friends_of_the_players_may_watch_a_friends_table),
        DRIVER_TEST(after_a_game_that_nobody_may_watch_everybody_may_enter_the_table),
        DRIVER_TEST(players_hear_spectators_only_if_everybody_may_chat),
        DRIVER_TEST(spectators_who_may_not_chat_are_told_so),
        DRIVER_TEST(the_host_sets_who_may_watch_before_the_start),
        DRIVER_TEST(a_chat_line_hidden_before_its_delay_is_over_reaches_no_spectator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
