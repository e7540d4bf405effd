#include "games/game.h"
#include "lobby/house/house_state.h"
#include "lobby/tables/tables.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>

/* How long the core leaves bots to choose their moves: `within` in the message `think`. */

#define ADA DRIVER_FIRST
#define EVE (DRIVER_FIRST + 1)
#define DELAY_MS 900

/* Connects a bot process that never answers. */
static void connect_silent_bots(struct driver *driver)
{
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
}

static void set_delay(struct driver *driver)
{
    driver->config.play_bot_delay_ms = DELAY_MS;
    driver_restart_core(driver);
    connect_silent_bots(driver);
}

/* Begins a game of this connection and two bots. */
static void begin_game_with_bots(struct driver *driver, int64_t conn, const char *clock)
{
    const json_t *answer =
        driver_ok(driver, conn, "{'t':'table_open','game':'%s','players':3,'options':{},%s}",
                  game_at(0)->id, clock);
    assert_true(driver_read_number(answer, "table") > 0);
    driver_ok(driver, conn, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, conn, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, conn, "{'t':'table_start'}");
}

/* Lets the person move, and the core in place of the bots, until a bot is asked. Returns the
 * question. */
static const json_t *wait_for_question(struct driver *driver, int64_t conn)
{
    driver_clear_inbox(driver, DRIVER_BOT);
    for (int i = 0; i < 200; i++) {
        const json_t *question = driver_newest_message(driver, DRIVER_BOT, "think");
        if (question != NULL) {
            return question;
        }
        if (!driver_make_first_legal_move(driver, conn) && !driver_end_stop(driver, conn)) {
            driver_pass_time(driver, 100);
        }
    }
    fail_msg("no bot was asked");
    return NULL;
}

static int64_t wait_for_deadline(struct driver *driver, int64_t conn)
{
    return driver_read_number(wait_for_question(driver, conn), "within");
}

/* Returns how many cards lie on the table; -1 before the first card of a round. */
static int count_cards_of_trick(const json_t *question)
{
    const json_t *view = json_object_get(question, "view");
    size_t cards = json_array_size(json_object_get(view, "trick"));
    return cards == 0 && json_array_size(json_object_get(view, "past")) == 0 ? -1 : (int)cards;
}

/* Connects bots anew and returns what they are asked. */
static const json_t *replace_bots(struct driver *driver)
{
    driver_disconnect(driver, DRIVER_BOT);
    driver_clear_inbox(driver, DRIVER_BOT);
    connect_silent_bots(driver);
    driver_pass_time(driver, 0);
    return driver_newest_message(driver, DRIVER_BOT, "think");
}

static void a_bots_move_is_needed_when_it_is_to_be_shown(void **state)
{
    struct driver *driver = *state;
    set_delay(driver);
    driver_sign_up(driver, ADA, "ada");
    begin_game_with_bots(driver, ADA, "'clock_s':0");
    int leads = 0, follows = 0;
    while (leads < 5 || follows < 5) {
        const json_t *question = wait_for_question(driver, ADA);
        int cards = count_cards_of_trick(question);
        int64_t within_ms = driver_read_number(question, "within");
        if (cards >= 0) { /* after a finished trick, people look at it */
            assert_int_equal(within_ms, cards == 0 ? 2 * DELAY_MS : DELAY_MS);
        }
        leads += cards == 0 ? 1 : 0;
        follows += cards > 0 ? 1 : 0;
        driver_pass_time(driver, 2 * DELAY_MS);
    }
}

static void a_bot_that_is_asked_late_has_less_time(void **state)
{
    struct driver *driver = *state;
    set_delay(driver);
    driver_sign_up(driver, ADA, "ada");
    begin_game_with_bots(driver, ADA, "'clock_s':0");
    assert_int_equal(wait_for_deadline(driver, ADA), DELAY_MS);
    driver_pass_time(driver, 300);
    assert_in_range(driver_read_number(replace_bots(driver), "within"), DELAY_MS - 400,
                    DELAY_MS - 300);
    driver_pass_time(driver, DELAY_MS); /* the core waits longer than that for an answer */
    assert_int_equal(driver_read_number(replace_bots(driver), "within"), 0);
}

/* Returns how long it takes from a bot's turn until its move is shown, without bot processes: the
 * core then chooses at once. */
static int64_t measure_time_of_move(struct driver *driver, const struct table *table)
{
    while (!driver_make_first_legal_move(driver, ADA) && !driver_end_stop(driver, ADA)) {
        driver_pass_time(driver, 100);
    }
    size_t moves = table->move_count;
    int64_t begun_ms = driver->now_ms;
    while (table->move_count == moves && table->move_count > 0) {
        driver_pass_time(driver, 50);
        assert_true(driver->now_ms - begun_ms < 10000);
    }
    return driver->now_ms - begun_ms;
}

static void after_a_late_answer_all_moves_of_bots_wait_for_whole_beats(void **state)
{
    struct driver *driver = *state;
    int64_t id = 1;
    set_delay(driver);
    driver_sign_up(driver, ADA, "ada");
    begin_game_with_bots(driver, ADA, "'clock_s':0");
    const struct table *table = index_find(&tables_of(driver->house)->by_id, &id, sizeof(id));
    (void)wait_for_question(driver, ADA);
    driver_pass_time(driver, 1400); /* nobody answers: the core has waited 500 ms too long */
    driver_disconnect(driver, DRIVER_BOT);
    /* the next bot moves, although its move is known at once, when the late one would have */
    assert_in_range(measure_time_of_move(driver, table), DELAY_MS + 600, 2 * DELAY_MS + 700);
    driver_pass_time(driver, 31000); /* the bots move meanwhile */
    assert_in_range(measure_time_of_move(driver, table), DELAY_MS, 2 * DELAY_MS + 50);
}

static void a_bot_at_a_turn_by_turn_table_has_more_time(void **state)
{
    struct driver *driver = *state;
    set_delay(driver);
    driver_sign_up(driver, ADA, "ada");
    begin_game_with_bots(driver, ADA, "'clock':{'kind':'days','days':2}");
    assert_int_equal(wait_for_deadline(driver, ADA), PACE_BOT_UNHURRIED_MS);
}

static void bots_have_more_time_when_no_person_plays_with_them(void **state)
{
    struct driver *driver = *state;
    set_delay(driver);
    driver_enter_as_guest(driver, ADA);
    begin_game_with_bots(driver, ADA, "'clock_s':0");
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}"); /* otherwise the game would end */
    assert_int_equal(wait_for_deadline(driver, ADA), DELAY_MS);
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 1000 * (int64_t)driver->config.play_absent_grace_s + 10000);
    driver_clear_inbox(driver, DRIVER_BOT);
    driver_pass_time(driver, 4000);
    const json_t *question = driver_newest_message(driver, DRIVER_BOT, "think");
    assert_non_null(question);
    assert_int_equal(driver_read_number(question, "within"), PACE_BOT_UNHURRIED_MS);
}

TEST_GROUP(bot_deadlines)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(after_a_late_answer_all_moves_of_bots_wait_for_whole_beats),
        DRIVER_TEST(a_bots_move_is_needed_when_it_is_to_be_shown),
        DRIVER_TEST(a_bot_that_is_asked_late_has_less_time),
        DRIVER_TEST(a_bot_at_a_turn_by_turn_table_has_more_time),
        DRIVER_TEST(bots_have_more_time_when_no_person_plays_with_them),
    };
    return cmocka_run_group_tests_name("bot deadlines", tests, NULL, NULL);
}
