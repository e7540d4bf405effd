#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static const int64_t both[] = {ADA, BOB};

static void begin_watched_game(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    int64_t table = driver_open_table(driver, ADA, 4, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
}

/* Checks that no view has a card of another hand, and that moves are offered only to a seat that is
 * to act. */
static void check_views_hide_other_hands(const struct driver *driver, int64_t conn, int seat)
{
    size_t looked = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        if (strcmp(driver_read_text(message, "t"), "view") != 0) {
            continue;
        }
        const json_t *json = json_object_get(message, "view");
        struct game_view view;
        assert_true(view_read(json_object_get(message, "view"), &view));
        assert_int_equal(view.seat, seat);
        for (int other = 0; other < view.seats; other++) {
            for (int slot = 0; slot < view.slot_count[other]; slot++) {
                const struct view_slot *at = &view.hands[other][slot];
                assert_true(at->is_empty || other == seat || at->card == CARD_NONE);
            }
        }
        size_t legal = json_array_size(json_object_get(json, "legal"));
        assert_int_equal(json_array_size(json_object_get(message, "labels")), legal);
        assert_true(legal == 0 || (seat >= 0 && (view.to_act >> seat & 1) != 0));
        looked++;
    }
    assert_true(looked > 100);
}

/* Checks that the seed, which determines all cards, is sent with the result and never before. */
static void check_seed_is_hidden_before_result(const struct driver *driver, int64_t conn)
{
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        const char *type = driver_read_text(message, "t");
        if (strcmp(type, "result") == 0) {
            return; /* the seed may be known from here on */
        }
        assert_null(json_object_get(message, "seed"));
    }
    fail();
}

static void nobody_is_sent_a_card_they_must_not_see(void **state)
{
    struct driver *driver = *state;
    begin_watched_game(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    check_views_hide_other_hands(driver, ADA, 0);
    check_views_hide_other_hands(driver, BOB, 1);
    check_views_hide_other_hands(driver, EVE, SPECTATOR);
    check_seed_is_hidden_before_result(driver, ADA);
    check_seed_is_hidden_before_result(driver, BOB);
    check_seed_is_hidden_before_result(driver, EVE);
}

static void a_player_who_watches_another_table_is_a_spectator_there(void **state)
{
    struct driver *driver = *state;
    begin_watched_game(driver);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    int64_t other = driver_open_table(driver, EVE, 3, 0);
    driver_ok(driver, EVE, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, EVE, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, EVE, "{'t':'table_start'}");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", other);
    const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    assert_true(json_is_null(json_object_get(view, "seat")));
    assert_int_equal(json_array_size(json_object_get(view, "legal")), 0);
    const json_t *table = driver_newest_message(driver, ADA, "table");
    assert_true(json_is_null(json_object_get(table, "you")));
}

static void the_commitment_to_the_seed_is_sent_before_the_first_card(void **state)
{
    struct driver *driver = *state;
    begin_watched_game(driver);
    bool has_commitment = false;
    for (size_t i = 0; i < json_array_size(driver->inbox[BOB]); i++) {
        const json_t *message = json_array_get(driver->inbox[BOB], i);
        const char *type = driver_read_text(message, "t");
        has_commitment |= json_is_string(json_object_get(message, "commitment"));
        if (strcmp(type, "view") == 0) {
            assert_true(has_commitment);
            return;
        }
    }
    fail();
}

static void the_record_of_an_unfinished_game_is_refused(void **state)
{
    struct driver *driver = *state;
    begin_watched_game(driver);
    int64_t game = driver_read_number(driver_newest_message(driver, ADA, "table"), "game_id");
    driver_no(driver, EVE, "unfinished", "{'t':'record','game_id':%" PRId64 "}", game);
    driver_no(driver, EVE, "unknown", "{'t':'record','game_id':999}");
    driver_no(driver, EVE, "unknown", "{'t':'record'}");
    const json_t *games = driver_ok(driver, EVE, "{'t':'games','name':'ada'}");
    assert_int_equal(json_array_size(json_object_get(games, "rows")), 0);
}

TEST_GROUP(hidden)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(nobody_is_sent_a_card_they_must_not_see),
        DRIVER_TEST(a_player_who_watches_another_table_is_a_spectator_there),
        DRIVER_TEST(the_commitment_to_the_seed_is_sent_before_the_first_card),
        DRIVER_TEST(the_record_of_an_unfinished_game_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
