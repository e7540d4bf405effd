#include "stage.h"
#include "tests/unit.h"

#include <string.h>

/* Tests that a move chosen before one's turn never ends without words, in any game. */

#define CHOSEN "will play itself at your turn"

static const char *const ends[] = {"Played as you wanted",
                                   "was not played:", "Nothing will play itself"};

static bool is_end_told(struct driver *driver)
{
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (driver_shows(driver, ends[i])) {
            return true;
        }
    }
    return false;
}

/* Chooses the card at the place in the hand for the next turn. False if it cannot be chosen. */
static bool choose_move(struct stage *stage, char key)
{
    const char line[] = {'/', 'p', 'r', 'e', 'm', 'o', 'v', 'e', ' ', key, '\r', '\0'};
    driver_wait(stage->driver, 9000); /* no older words are shown */
    driver_type(stage->driver, line);
    return driver_shows(stage->driver, CHOSEN);
}

/* Plays on until the chosen move has ended, and checks that its end was told then. False if the
 * game is over. */
static bool follow_chosen_move(struct stage *stage)
{
    struct driver *driver = stage->driver;
    bool is_running = true;
    while (is_running) {
        driver_wait(driver, 9000);
        is_running = stage_make_random_move(stage);
        if (is_end_told(driver)) {
            break;
        }
        driver_type(driver, "/premove\r");
        driver_expect(driver, "At your turn, this plays itself");
    }
    if (driver_find_request(driver, "move") != NULL) {
        driver_refuse(driver, "move", "later", "Not yet.");
    }
    return is_running;
}

static void every_end_of_a_chosen_move_is_told(void **state)
{
    (void)state;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        unsigned chosen = 0;
        stage_init(&stage, &setup, game_at(i), game_at(i)->seats_min, 0);
        for (uint32_t seed = 1; seed <= 3; seed++) {
            bool is_running = true;
            stage_deal(&stage, seed);
            for (int step = 0; is_running && step < 120; step++) {
                struct game_view view;
                stage_write_view(&stage, &view);
                const char key = (char)('1' + step % 5);
                if (!view_viewer_may_move(&view) && choose_move(&stage, key)) {
                    chosen++;
                    is_running = follow_chosen_move(&stage);
                } else {
                    is_running = stage_make_random_move(&stage);
                }
            }
        }
        assert_true(chosen > 10);
        stage_clear(&stage);
    }
}

/* Begins a game in which a move is chosen for the viewer's next turn. */
static void begin_with_chosen_move(struct stage *stage)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct game_view view;
    stage_init(stage, &setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
    stage_write_view(stage, &view);
    assert_false(view_viewer_may_move(&view));
    assert_true(choose_move(stage, '1'));
}

static void a_new_game_or_leaving_the_table_ends_a_chosen_move_with_words(void **state)
{
    (void)state;
    struct stage stage;
    begin_with_chosen_move(&stage);
    stage_push_table_and_view(&stage, "{\"game_id\":999}", NULL);
    driver_expect(stage.driver, "Nothing will play itself: the game is over.");
    stage_clear(&stage);
    begin_with_chosen_move(&stage);
    driver_type(stage.driver, "ql");
    driver_answer(stage.driver, "table_leave", NULL);
    driver_expect(stage.driver, "Nothing will play itself: you have left the table.");
    stage_clear(&stage);
}

TEST_GROUP(premove)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end_of_a_chosen_move_is_told),
        cmocka_unit_test(a_new_game_or_leaving_the_table_ends_a_chosen_move_with_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
