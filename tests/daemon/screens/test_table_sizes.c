#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 160 /* three or four rounds of the longest games */
#define CARDS 52
#define ASCII_YOU                                                                                  \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"            \
    "\"settings\":{\"ascii\":true},\"is_new\":false}"

/* A card as it stands on the screen: rank and sign, or rank and letter. */
static void card_words(uint8_t card, bool is_ascii, struct text *out)
{
    const struct deck_def *deck = game_at(0)->deck;
    const struct suit_def *suit = &deck->suits[card_suit(deck, card)];
    card_write_rank(deck, card, out);
    text_put(out, is_ascii ? suit->letters : suit->symbol);
}

/* The cards that a viewer's screen may show: in hands, tricks, or turned up. */
static void known_cards(const struct game_view *view, bool known[CARDS])
{
    memset(known, 0, CARDS);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            uint8_t card = view->hands[seat][i].card;
            known[card < CARDS ? card : 0] |= card < CARDS;
        }
    }
    for (uint8_t i = 0; i < view->trick.count; i++) {
        known[view->trick.plays[i].card] = true;
    }
    for (uint8_t i = 0; i < view->last_trick.count; i++) {
        known[view->last_trick.plays[i].card] = true;
    }
    const struct field *turnup = fields_find(&view->info, "turnup");
    if (turnup != NULL && turnup->type == FIELD_TEXT) {
        known[card_parse(view->game->deck, turnup->text)] = true;
    }
}

static void assert_shows_only_what_the_view_holds(struct stage *stage, bool is_ascii)
{
    struct game_view view;
    bool known[CARDS];
    stage_view(stage, &view);
    known_cards(&view, known);
    for (uint8_t card = 0; card < CARDS; card++) {
        char words[CARD_TEXT_MAX];
        struct text text = text_init(words, sizeof(words));
        card_words(card, is_ascii, &text);
        if (!known[card] && driver_shows(stage->driver, words)) {
            driver_print(stage->driver, "shows what its viewer does not know");
            fail_msg("%s", words);
        }
    }
}

static void assert_shows_own_hand_and_all_names(struct stage *stage, bool is_ascii)
{
    static const char *const names[] = {"ada", "bob", "ella", "chen", "dmitri", "charlotte-a"};
    struct game_view view;
    stage_view(stage, &view);
    for (uint8_t i = 0; i < view.slot_count[stage->you]; i++) {
        char words[CARD_TEXT_MAX];
        struct text text = text_init(words, sizeof(words));
        if (!view.hands[stage->you][i].is_empty) {
            card_words(view.hands[stage->you][i].card, is_ascii, &text);
            driver_expect(stage->driver, words);
        }
    }
    for (uint8_t seat = 1; seat < view.seats; seat++) {
        driver_expect(stage->driver, names[seat - 1]);
    }
    driver_expect(stage->driver, "round");
}

/* Plays at that size and looks at the screen after every step. */
static void play_and_look(int columns, int rows, uint8_t players, bool is_ascii)
{
    struct driver_setup setup = {
        .columns = columns, .rows = rows, .you = is_ascii ? ASCII_YOU : NULL};
    struct stage stage;
    bool is_tall = rows >= 37; /* rank and suit stand on lines of their own */
    stage_init(&stage, &setup, game_at(0), players, 0);
    stage_deal(&stage, players);
    for (int i = 0; i < STEPS_MAX && stage_step(&stage); i++) {
        driver_wait(stage.driver, 1300);
        driver_type(stage.driver, " ");
        if (!is_tall) {
            assert_shows_only_what_the_view_holds(&stage, is_ascii);
            assert_shows_own_hand_and_all_names(&stage, is_ascii);
        }
    }
    if (is_ascii) {
        assert_false(driver_saw_non_ascii(stage.driver));
    }
    stage_clear(&stage);
}

static void every_step_fits_80_by_24(void **unused)
{
    (void)unused;
    for (uint8_t players = 3; players <= 7; players++) {
        play_and_look(80, 24, players, false);
    }
}

static void every_step_fits_60_by_18(void **unused)
{
    (void)unused;
    for (uint8_t players = 3; players <= 7; players++) {
        play_and_look(60, 18, players, false);
    }
}

static void every_step_fits_120_by_40(void **unused)
{
    (void)unused;
    for (uint8_t players = 3; players <= 7; players++) {
        play_and_look(120, 40, players, false);
    }
}

static void ascii_mode_writes_ascii_alone(void **unused)
{
    (void)unused;
    play_and_look(80, 24, 4, true);
    play_and_look(60, 18, 7, true);
    play_and_look(120, 40, 5, true);
}

static void the_table_survives_any_resize_in_mid_game(void **unused)
{
    (void)unused;
    static const struct {
        int columns, rows;
    } sizes[] = {{80, 24}, {20, 10},  {200, 60}, {79, 23},
                 {60, 18}, {111, 30}, {112, 12}, {500, 200}};
    struct driver_setup setup = {.columns = 80, .rows = 24};
    struct stage stage;
    stage_init(&stage, &setup, game_at(0), 7, 0);
    stage_deal(&stage, 9);
    for (size_t i = 0; i < 96 && stage_step(&stage); i++) {
        driver_resize(stage.driver, sizes[i % ARRAY_LEN(sizes)].columns,
                      sizes[i % ARRAY_LEN(sizes)].rows);
        driver_type(stage.driver, i % 3 == 0 ? "t" : i % 3 == 1 ? "s" : "q");
        driver_type(stage.driver, "\x1b");
    }
    driver_resize(stage.driver, 80, 24);
    driver_wait(stage.driver, 9000);
    driver_expect(stage.driver, "Oh Hell");
    stage_clear(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_fits_80_by_24),
        cmocka_unit_test(every_step_fits_60_by_18),
        cmocka_unit_test(every_step_fits_120_by_40),
        cmocka_unit_test(ascii_mode_writes_ascii_alone),
        cmocka_unit_test(the_table_survives_any_resize_in_mid_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
