#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table.h"
#include "stage.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests that a table shows every fact that a game reports about its players and its round, whole
 * and at every size, in the languages of the house. */
#define STEPS_MAX 130
#define FACT_BYTES 400
#define ASCII_YOU                                                                                  \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"            \
    "\"settings\":{\"ascii\":true},\"is_new\":false}"

struct form {
    int columns, rows;
    bool is_ascii, has_long_names;
};

static struct words make_words(const struct stage *stage, bool is_ascii)
{
    static const char *const names[] = {"mira",           "ada", "bob", "ella", "chen", "dmitri",
                                        "charlotte-anne9"};
    static struct theme theme;
    theme = theme_plain;
    theme.is_ascii = is_ascii;
    theme.is_plain_mode = false;
    struct words words = {.theme = &theme,
                          .game = stage->game,
                          .config = &stage->config,
                          .players = stage->config.players,
                          .you = stage->you,
                          .is_plain = true};
    memcpy(words.names, names, sizeof(names[0]) * stage->config.players);
    return words;
}

static void expect_shown(const struct stage *stage, const char *fact)
{
    if (!driver_shows(stage->driver, fact)) {
        driver_print_screen(stage->driver, "a fact is not shown whole");
        fail_msg("%s", fact);
    }
}

static void expect_facts_of_all_seats(const struct stage *stage, const struct game_view *view,
                                      const struct words *words)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        struct phrase badges[FACE_BADGES_MAX];
        uint8_t count = view->game->face->badges(view, seat, badges);
        char number[FACT_BYTES];
        for (uint8_t i = 0; i < count; i++) {
            expect_shown(stage, words_write_phrase(words, badges[i], &TEXT_OF(FACT_BYTES)));
        }
        snprintf(number, sizeof(number), _("won %d"), view->tricks[seat]);
        expect_shown(stage, number);
        snprintf(number, sizeof(number), _("score %d"), view->scores[seat]);
        expect_shown(stage, number);
    }
}

static void expect_facts_of_board(const struct stage *stage, const struct game_view *view,
                                  const struct words *words)
{
    struct face_fact facts[FACE_BOARD_MAX];
    const struct game_face *face = view->game->face;
    uint8_t count = face->board != NULL ? face->board(view, words->config, facts) : 0;
    for (uint8_t i = 0; i < count; i++) {
        expect_shown(stage, _(facts[i].label));
        expect_shown(stage, words_write_phrase(words, facts[i].value, &TEXT_OF(FACT_BYTES)));
    }
}

/* Asserts that nothing on the table is cut: no row ends in an ellipsis, apart from chat. */
static void expect_nothing_cut(const struct stage *stage)
{
    if (driver_shows(stage->driver, "…")) {
        driver_print_screen(stage->driver, "a text is cut");
        fail();
    }
}

/* True while choices may cover the players or the board may lack room: a list of many moves. */
static bool is_covered(const struct game_view *view)
{
    return view->phase == PHASE_OVER ||
           (view_viewer_may_move(view) && move_set_count(&view->legal) > SLOTS_MAX);
}

static void play_and_check_facts(const struct game_def *game, uint8_t players,
                                 const struct form *form)
{
    struct driver_setup setup = {
        .columns = form->columns, .rows = form->rows, .you = form->is_ascii ? ASCII_YOU : NULL};
    struct stage stage;
    stage_init(&stage, &setup, game, players, 0);
    stage.has_long_names = form->has_long_names;
    stage_deal(&stage, players);
    struct words words = make_words(&stage, form->is_ascii);
    for (int i = 0; i < STEPS_MAX && stage_make_random_move(&stage); i++) {
        struct game_view view;
        driver_wait(stage.driver, 1300);
        driver_type(stage.driver, " ");
        driver_wait(stage.driver, 8000);
        stage_write_view(&stage, &view);
        if (is_covered(&view)) {
            continue;
        }
        if (!form->has_long_names) {
            expect_facts_of_all_seats(&stage, &view, &words);
        }
        if (!form->has_long_names && form->columns < 112) {
            expect_facts_of_board(&stage, &view, &words); /* beside the table, they are wrapped */
        }
        expect_nothing_cut(&stage);
    }
    stage_clear(&stage);
}

static uint64_t tables_begun; /* in all tests of this file, also those that are not tried */

/* The table shows all facts whole in the games in which people see their own cards, and cards have
 * no signs. */
static void play_games_without_hidden_cards(const struct form *form)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const uint8_t players[] = {game->seats_min, 4, game->seats_max};
        for (size_t at = 0; game->face->card_signs == NULL && at < ARRAY_LEN(players); at++) {
            if (environment_tries(tables_begun++)) {
                play_and_check_facts(game, players[at], form);
            }
        }
    }
}

static void check_all_languages(const struct form *form)
{
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        assert_true(i18n_choose_language(i18n_tags[i]));
        play_games_without_hidden_cards(form);
    }
    assert_true(i18n_choose_language(i18n_tags[0]));
}

static void every_fact_is_shown_whole_at_80_by_24(void **state)
{
    (void)state;
    check_all_languages(&(struct form){.columns = 80, .rows = 24});
}

static void every_fact_is_shown_whole_in_ascii(void **state)
{
    (void)state;
    play_games_without_hidden_cards(&(struct form){.columns = 80, .rows = 24, .is_ascii = true});
}

static void every_fact_is_shown_whole_at_120_by_40_and_200_by_50(void **state)
{
    (void)state;
    check_all_languages(&(struct form){.columns = 120, .rows = 40});
    check_all_languages(&(struct form){.columns = 200, .rows = 50});
}

static void long_names_cut_nothing_at_any_size(void **state)
{
    (void)state;
    check_all_languages(&(struct form){.columns = 80, .rows = 24, .has_long_names = true});
    check_all_languages(&(struct form){.columns = 60, .rows = 18, .has_long_names = true});
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

TEST_GROUP(table_facts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_is_shown_whole_at_80_by_24),
        cmocka_unit_test(every_fact_is_shown_whole_in_ascii),
        cmocka_unit_test(every_fact_is_shown_whole_at_120_by_40_and_200_by_50),
        cmocka_unit_test(long_names_cut_nothing_at_any_size),
    };
    return cmocka_run_group_tests_name("table_facts", tests, set_up_catalogues, NULL);
}
