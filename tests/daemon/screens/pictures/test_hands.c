#include "daemon/screens/table/table.h"
#include "tests/daemon/screens/pictures/ink.h"
#include "tests/daemon/screens/stage.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/*
 * Tests that tables of every game whose cards have names show hands and seats whole, with any
 * number of players, at every size of the terminal, in every language. The players have the longest
 * names.
 */
#define ASCII_YOU                                                                                  \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"            \
    "\"settings\":{\"ascii\":true},\"is_new\":false}"
#define STEPS_MAX 120
#define ROW_BYTES 400

struct size {
    int columns, rows;
};

static const struct size sizes[] = {{60, 18}, {80, 24}, {120, 40}, {200, 50}};

/* Returns how many columns the table has, without the pane beside it. */
static int count_table_columns(const struct size *size)
{
    struct table_layout layout;
    const struct table_layout_needs needs = {.seats = 4, .prompt_rows = 1, .card_width = 6};
    table_layout_make(&(struct area){0, 0, size->rows - 3, size->columns}, &needs, &layout);
    return layout.header.width;
}

/* Fails if a text of the table was cut. The texts beside the table may be cut. */
static void assert_nothing_is_cut(struct driver *driver, const struct size *size)
{
    for (int i = 0; i < ink_count_cut_texts(); i++) {
        const char *text = ink_get_cut_text(i);
        if (draw_measure_text(text) <= count_table_columns(size)) {
            driver_print_screen(driver, "a text of the table is cut");
            fail_msg("cut: %s", text);
        }
    }
    if (ink_find_overlap()[0] != '\0') {
        driver_print_screen(driver, "texts overlap");
        fail_msg("%s", ink_find_overlap());
    }
}

/* Plays a game with clues, trades and tricks; checks the screen after each move. */
static void play_and_check(const struct game_def *game, uint8_t player_count,
                           const struct size *size, bool is_ascii)
{
    struct driver_setup setup = {
        .columns = size->columns, .rows = size->rows, .you = is_ascii ? ASCII_YOU : NULL};
    struct stage stage;
    stage_init(&stage, &setup, game, player_count, 0);
    stage.has_long_names = true;
    stage_deal(&stage, player_count);
    for (int i = 0; i < STEPS_MAX && stage_make_random_move(&stage); i++) {
        struct game_view view;
        stage_write_view(&stage, &view);
        if (view.phase != PHASE_OVER) {
            assert_nothing_is_cut(stage.driver, size); /* maybe a finished trick */
        }
        driver_wait(stage.driver, 1300);
        driver_wait(stage.driver, 9000);
        if (view.phase != PHASE_OVER) {
            assert_nothing_is_cut(stage.driver, size);
        }
    }
    stage_clear(&stage);
}

static void play_in_all_languages(const struct size *size, bool is_ascii)
{
    uint64_t games = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t players = game->seats_min;
             game->face->spells_suits && players <= game->seats_max; players++) {
            for (size_t language = 0; language < i18n_count_languages(); language++) {
                if (environment_tries(games++)) {
                    assert_true(i18n_choose_language(i18n_tags[language]));
                    play_and_check(game, players, size, is_ascii);
                }
            }
        }
    }
}

static void no_text_of_a_table_is_cut_at_any_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        play_in_all_languages(&sizes[i], false);
    }
}

static void no_text_of_a_table_is_cut_in_ascii_at_80_by_24(void **state)
{
    (void)state;
    play_in_all_languages(&(struct size){80, 24}, true);
}

/* Checks every open hand of a view: one row, or a row for each card. */
static void assert_no_hand_wraps(const struct game_view *view, const struct size *size,
                                 int prompt_rows)
{
    const struct theme theme = {.kind = THEME_MONO};
    struct scene scene = {.view = view, .words = {.theme = &theme, .game = view->game, .you = 0}};
    struct table_layout layout;
    struct hand_plans plans;
    struct table_layout_needs needs = scene_compute_layout_needs(&scene);
    const struct area body = {0, 0, size->rows - 3, size->columns};
    int width = count_table_columns(size);
    needs.fact_rows =
        board_draw_rows(NULL, &(struct area){.width = width, .height = INT_MAX}, &scene);
    needs.prompt_rows = prompt_rows;
    hand_make_plans(view, &scene.words, width, true, size->rows > 36, &plans);
    needs.hand_rows = plans.framed.rows;
    needs.hand_rows_small = plans.lines.rows;
    table_layout_make(&body, &needs, &layout);
    assert_true(layout.is_list || plans.framed.style != HAND_LINES);
    uint8_t seat = scene.bottom;
    for (uint8_t place = 1; place < view->seats && !layout.is_list; place++) {
        const struct area *area = &layout.seats[place];
        seat = face_next_seat(view, seat);
        for (int above = 1; above <= 4 && above < area->height; above++) {
            struct open_hand hand =
                open_hand_collect(&scene, seat, area->width, area->height - above);
            int rows = open_hand_count_rows(&hand, area->width);
            if (rows > 1 && rows != hand.count) {
                fail_msg("%d rows at place %u of %u, %d columns", rows, place, view->seats,
                         size->columns);
            }
        }
    }
}

static void an_open_hand_takes_one_row_or_one_row_for_each_card(void **state)
{
    (void)state;
    assert_true(i18n_choose_language("en"));
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t players = game->seats_min;
             game->face->spells_suits && players <= game->seats_max; players++) {
            struct stage stage;
            stage_init(&stage, &(struct driver_setup){.columns = 80}, game, players, 0);
            stage_deal(&stage, players);
            for (int step = 0; step < STEPS_MAX && stage_make_random_move(&stage); step++) {
                struct game_view view;
                stage_write_view(&stage, &view);
                for (size_t at = 0; at < ARRAY_LEN(sizes) && view.phase != PHASE_OVER; at++) {
                    assert_no_hand_wraps(&view, &sizes[at], 1 + step % 2);
                }
            }
            stage_clear(&stage);
        }
    }
}

/* The rows of an open hand as they are written without colours. */
struct written_hand {
    enum open_hand_form form;
    int row_count;
    uint8_t ends[SLOTS_MAX]; /* the first place after each row */
    char rows[SLOTS_MAX][ROW_BYTES];
};

static void write_open_hand(const struct scene *scene, uint8_t seat, const struct area *area,
                            struct written_hand *out)
{
    struct open_hand hand = open_hand_collect(scene, seat, area->width, area->height - 2);
    memset(out, 0, sizeof(*out));
    out->form = hand.form;
    for (uint8_t from = 0; from < hand.count; out->row_count++) {
        struct text row = text_init(out->rows[out->row_count], ROW_BYTES);
        from = open_hand_write_row(&hand, from, area->width, &row);
        out->ends[out->row_count] = from;
        if (draw_measure_text(row.at) > area->width) {
            fail_msg("\"%s\" is wider than %d columns", row.at, area->width);
        }
    }
}

/* Fails if a card of the hand, other than the played one, has changed or moved. The rows consist of
 * ASCII characters, so that a byte is a column. */
static void assert_other_cards_stay(const struct written_hand *before,
                                    const struct written_hand *after, int widest_card)
{
    int first = -1, last = -1;
    assert_int_equal(after->row_count, before->row_count);
    assert_memory_equal(after->ends, before->ends, sizeof(before->ends));
    for (int row = 0; row < before->row_count; row++) {
        const char *old = before->rows[row], *new = after->rows[row];
        /* in a list, each card has a row of its own, which may become shorter */
        if (before->form != OPEN_HAND_LIST && strlen(old) != strlen(new)) {
            fail_msg("\"%s\" became \"%s\"", old, new);
        }
        for (int at = 0; old[at] != '\0' && new[at] != '\0'; at++) {
            int column = row * ROW_BYTES + at;
            first = old[at] != new[at] && first < 0 ? column : first;
            last = old[at] != new[at] ? column : last;
        }
    }
    assert_true(first < 0 || last - first < widest_card);
}

/* Plays the cards of every open hand, one place after the other, in the view alone: first each
 * place by itself, then all places up to it. */
static void play_every_place(struct game_view *view, const struct size *size)
{
    const struct theme theme = {.kind = THEME_MONO, .is_ascii = true};
    struct scene scene = {.view = view,
                          .words = {.theme = &theme, .game = view->game, .is_plain = true}};
    struct table_layout layout;
    struct table_layout_needs needs = scene_compute_layout_needs(&scene);
    struct card_widths widths;
    const struct area body = {0, 0, size->rows - 3, size->columns};
    card_measure_widths(&scene.words, &widths);
    needs.hand_rows = needs.hand_rows_small = 3;
    table_layout_make(&body, &needs, &layout);
    uint8_t seat = scene.bottom;
    for (uint8_t place = 1; place < view->seats; place++) {
        seat = face_next_seat(view, seat);
        const struct area row = {.width = INT_MAX};
        const struct area *area = layout.is_list ? &row : &layout.seats[place];
        for (uint8_t slot = 0; slot < 2 * view->slot_count[seat]; slot++) {
            struct view_slot *played = &view->hands[seat][slot % view->slot_count[seat]];
            const struct view_slot held = *played;
            struct written_hand before, after;
            write_open_hand(&scene, seat, area, &before);
            *played = (struct view_slot){.is_empty = true, .card = CARD_NONE, .suit = SUIT_NONE};
            write_open_hand(&scene, seat, area, &after);
            bool is_last = slot + 1 == 2 * view->slot_count[seat]; /* the hand is gone */
            if (!is_last && open_hand_is_shown(&scene, seat)) {
                assert_other_cards_stay(&before, &after, widths.of[FACE_LONG] + 1);
            }
            if (slot < view->slot_count[seat]) {
                *played = held;
            }
        }
    }
}

static void play_every_place_at_every_size(const struct game_def *game, uint8_t players)
{
    struct stage stage;
    struct game_view view, changed;
    stage_init(&stage, &(struct driver_setup){.columns = 80}, game, players, 0);
    stage_deal(&stage, players);
    assert_true(stage_play_until_turn(&stage, (uint8_t)(game->phase_count - 1)));
    stage_write_view(&stage, &view);
    for (size_t at = 0; at < ARRAY_LEN(sizes); at++) {
        memcpy(&changed, &view, sizeof(view));
        play_every_place(&changed, &sizes[at]);
    }
    stage_clear(&stage);
}

static void no_card_of_an_open_hand_moves_or_is_cut_when_a_card_is_played(void **state)
{
    (void)state;
    int games = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        bool tells_slots = game->moves[0].form == MOVE_SLOT;
        games += tells_slots;
        for (uint8_t players = game->seats_min; tells_slots && players <= game->seats_max;
             players++) {
            for (size_t language = 0; language < i18n_count_languages(); language++) {
                assert_true(i18n_choose_language(i18n_tags[language]));
                play_every_place_at_every_size(game, players);
            }
        }
    }
    assert_true(games >= 2);
}

/* Enters a game of that many players, in which the viewer or (is_other) another player has to give
 * a clue. Returns false if the game has no clues. */
static bool enter_game_with_clue(struct stage *stage, const struct game_def *game, bool is_other)
{
    struct game_view view;
    stage_init(stage, &(struct driver_setup){.columns = 80, .rows = 24}, game, 4, 0);
    for (uint32_t seed = 1; game->face->aim != NULL && seed < 20; seed++) {
        stage_deal(stage, seed);
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
        if (view_viewer_may_move(&view) != is_other) {
            driver_wait(stage->driver, 1300);
            return true;
        }
    }
    return false;
}

static void a_clue_is_shown_with_its_player_and_its_cards_and_the_keys(void **state)
{
    (void)state;
    int shown = 0;
    assert_true(i18n_choose_language("en"));
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        if (enter_game_with_clue(&stage, game_at(i), false)) {
            driver_expect(stage.driver,
                          "Give clue 1 of 9   arrows: player and card, Enter: give it");
            driver_expect(stage.driver, "clue for ada: [");
            driver_expect(stage.driver, "(card");
            driver_expect(stage.driver, "clues 0 of 3");
            driver_type(stage.driver, "\x1b[B"); /* the next player */
            driver_expect(stage.driver, "clue for bob: [");
            driver_type(stage.driver, "\r");
            assert_non_null(driver_find_request(stage.driver, "move"));
            shown++;
        }
        stage_clear(&stage);
    }
    assert_int_equal(shown, 1);
}

static void the_prompt_says_for_whom_the_table_waits_and_what_for(void **state)
{
    (void)state;
    assert_true(i18n_choose_language("en"));
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        if (enter_game_with_clue(&stage, game_at(i), true)) {
            driver_expect(stage.driver, "waiting for ");
            driver_expect(stage.driver, " (to give a clue)");
        }
        stage_clear(&stage);
    }
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

TEST_GROUP(hands)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_of_a_table_is_cut_at_any_size),
        cmocka_unit_test(no_text_of_a_table_is_cut_in_ascii_at_80_by_24),
        cmocka_unit_test(an_open_hand_takes_one_row_or_one_row_for_each_card),
        cmocka_unit_test(no_card_of_an_open_hand_moves_or_is_cut_when_a_card_is_played),
        cmocka_unit_test(a_clue_is_shown_with_its_player_and_its_cards_and_the_keys),
        cmocka_unit_test(the_prompt_says_for_whom_the_table_waits_and_what_for),
    };
    return cmocka_run_group_tests_name("hands", tests, set_up_catalogues, NULL);
}
