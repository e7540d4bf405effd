#include "tests/lobby/house_driver.h"
#include "tests/lobby/order_driver.h"

#include "games/game.h"
#include "games/macros.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Games against bots that begin at once, without a clock, in the game's short form. */

#define GUEST DRIVER_FIRST
#define DEALS 20

/* Begins a game against bots and leaves every table before it. */
static const json_t *begin_quick_game(struct driver *driver, int64_t conn,
                                      const struct game_def *game)
{
    driver_clear_inbox(driver, conn);
    driver_ok(driver, conn, "{'t':'quick','game':'%s'}", game->id);
    return driver_newest_message(driver, conn, "table");
}

static void leave_for_good(struct driver *driver, int64_t conn)
{
    driver_ok(driver, conn, "{'t':'seat_leave','for_good':true}");
    driver_ok(driver, conn, "{'t':'table_leave'}");
    driver_pass_time(driver, 30000); /* somebody who goes on without a pause has to wait */
}

static void a_quick_game_has_the_short_form_bots_and_no_clock(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, GUEST);
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const json_t *table = begin_quick_game(driver, GUEST, game);
        struct game_config config = game_config_short(game);
        char options[400];
        struct text text = text_init(options, sizeof(options));
        game_config_write(game, &config, &text);
        json_t *expected = json_loads(options, 0, NULL);
        assert_int_equal(game_config_check(game, &config), GAME_OK);
        assert_true(json_equal(json_object_get(table, "options"), expected));
        assert_string_equal(driver_read_text(table, "state"), "playing");
        assert_int_equal(driver_read_number(table, "players"), config.players);
        assert_int_equal(driver_read_number(table, "bots"), config.players - 1);
        assert_int_equal(driver_read_number(table, "clock_s"), 0);
        assert_true(json_is_false(json_object_get(table, "is_rated")));
        json_decref(expected);
        leave_for_good(driver, GUEST);
    }
}

/* Returns the seat that leads the first trick, as a view of the first step shows it. */
static int64_t read_first_leader(const json_t *view)
{
    const json_t *start = json_object_get(json_object_get(view, "info"), "start");
    return json_integer_value(start != NULL ? start
                                            : json_array_get(json_object_get(view, "to_act"), 0));
}

static void a_bot_leads_first_and_the_person_sits_to_its_left_in_every_game(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, GUEST);
    for (int i = 0; i < game_count() * DEALS; i++) {
        if (!environment_tries((uint64_t)i)) {
            continue;
        }
        const struct game_def *game = game_at((uint8_t)(i / DEALS));
        driver->random = (uint8_t)(7 * i);
        const json_t *table = begin_quick_game(driver, GUEST, game);
        const json_t *view = json_object_get(driver_newest_message(driver, GUEST, "view"), "view");
        assert_int_equal(driver_read_number(table, "you"),
                         (read_first_leader(view) + 1) % game->short_form.players);
        leave_for_good(driver, GUEST);
    }
}

static void the_seat_is_chosen_without_a_change_to_the_seed_or_its_commitment(void **state)
{
    struct driver *driver = *state;
    uint8_t seed[SEED_BYTES], hash[crypto_hash_sha256_BYTES];
    char hex[2 * sizeof(hash) + 1];
    driver_enter_as_guest(driver, GUEST);
    char commitment[sizeof(hex)];
    snprintf(commitment, sizeof(commitment), "%s",
             driver_read_text(begin_quick_game(driver, GUEST, game_at(0)), "commitment"));
    (void)driver_play_moves(driver, (const int64_t[]){GUEST}, 1, SIZE_MAX);
    const char *drawn = driver_read_text(driver_newest_message(driver, GUEST, "result"), "seed");
    assert_int_equal(sodium_hex2bin(seed, sizeof(seed), drawn, strlen(drawn), NULL, NULL, NULL), 0);
    (void)crypto_hash_sha256(hash, seed, sizeof(seed));
    assert_string_equal(sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)), commitment);
}

static void a_quick_game_is_refused_where_a_table_would_be(void **state)
{
    struct driver *driver = *state;
    driver_no(driver, BOB, "game", "{'t':'quick','game':'chess'}");
    driver_no(driver, BOB, "game", "{'t':'quick'}");
    order_ok(driver, ADA, "disable hund");
    driver_no(driver, BOB, "off", "{'t':'quick','game':'hund'}");
    order_ok(driver, ADA, "disable new");
    driver_no(driver, BOB, "off", "{'t':'quick','game':'oh-hell'}");
    order_ok(driver, ADA, "enable new");
    driver_ok(driver, BOB, "{'t':'quick','game':'oh-hell'}");
}

TEST_GROUP(quick_game)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_quick_game_has_the_short_form_bots_and_no_clock),
        DRIVER_TEST(a_bot_leads_first_and_the_person_sits_to_its_left_in_every_game),
        DRIVER_TEST(the_seat_is_chosen_without_a_change_to_the_seed_or_its_commitment),
        ORDER_TEST(a_quick_game_is_refused_where_a_table_would_be),
    };
    return cmocka_run_group_tests_name("quick_game", tests, NULL, NULL);
}
