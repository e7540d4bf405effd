#include "daemon/screens/display.h"
#include "daemon/screens/table_choices.h"
#include "daemon/screens/table_hand.h"
#include "daemon/screens/table_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

/*
 * Games whose hands lie face up, face down or somewhere between: a made-up one with named suits,
 * clues, trades and many cards must fit the same drawing code.
 */
#define COLUMNS 80
#define ROWS 24
#define LINE_MAX_BYTES 1024

static const struct suit_def suits[] = {
    {.id = "north", .title = "Northwind", .letters = "No", .tint = TINT_BLUE},
    {.id = "south", .title = "Southwind", .letters = "So", .tint = TINT_RED},
    {.id = "east", .title = "East", .letters = "Ea", .tint = TINT_GREEN},
};

static const struct special_def specials[] = {
    {.id = "tempest", .title = "TEMPEST", .tint = TINT_PURPLE}};

static const struct deck_def deck = {.suits = suits,
                                     .suit_count = 3,
                                     .value_first = 1,
                                     .value_count = 15,
                                     .specials = specials,
                                     .special_count = 1};

#define TEMPEST 45
#define PASS 60

static uint8_t no_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    (void)view;
    (void)out;
    return 0;
}

static uint8_t no_badges(const struct game_view *view, uint8_t seat,
                         struct phrase out[FACE_BADGES_MAX])
{
    (void)view;
    (void)seat;
    (void)out;
    return 0;
}

static uint8_t point_at_slot(const struct game_view *view, uint8_t slot)
{
    (void)view;
    return slot;
}

static struct phrase label_of(const struct game_view *view, uint8_t move)
{
    (void)view;
    if (move == PASS) {
        return phrase_plain("keep all cards");
    }
    return (struct phrase){.format = "{0}", .args = {arg_number(move)}};
}

static const struct game_face face = {
    .headline = no_headline, .badges = no_badges, .point = point_at_slot, .label = label_of};
static const char *const phases[] = {"trade", "bid", "play"};
static const struct game_def winds = {.id = "winds",
                                      .title = "Winds",
                                      .deck = &deck,
                                      .phases = phases,
                                      .phase_count = 3,
                                      .face = &face};
static const struct theme theme = {.kind = THEME_MONO};

struct picture {
    struct display *display;
    struct canvas canvas;
    struct game_view view;
    struct words words;
    char text[ROWS * LINE_MAX_BYTES];
};

static int set_up(void **state)
{
    struct picture *picture = calloc(1, sizeof(*picture));
    assert_non_null(picture);
    picture->display = display_new("xterm-256color", COLUMNS, ROWS);
    assert_non_null(picture->display);
    display_clear(picture->display, &theme);
    picture->canvas = (struct canvas){.theme = &theme, .body = {0, 0, ROWS - 3, COLUMNS}};
    view_clear(&picture->view);
    picture->view.game = &winds;
    picture->view.seat = 0;
    picture->words =
        (struct words){.theme = &theme,
                       .game = &winds,
                       .names = {"mira", "ada", "bob", "ella", "chen", "dmitri", "fay"},
                       .you = 0};
    *state = picture;
    return 0;
}

static int tear_down(void **state)
{
    struct picture *picture = *state;
    display_free(picture->display);
    free(picture);
    return 0;
}

/* Paints what was drawn and reads it back, a line a row. */
static const char *read_picture(struct picture *picture)
{
    struct bytes bytes;
    bytes_init(&bytes, 1u << 20);
    display_redraw(picture->display); /* whole, not what changed */
    assert_true(display_paint(picture->display, 0, 0, &bytes));
    VTerm *vterm = vterm_new(ROWS, COLUMNS);
    vterm_set_utf8(vterm, 1);
    VTermScreen *screen = vterm_obtain_screen(vterm);
    vterm_screen_reset(screen, 1);
    vterm_input_write(vterm, bytes.at, bytes.len);
    size_t len = 0;
    for (int row = 0; row < ROWS; row++) {
        VTermRect rect = {.start_row = row, .end_row = row + 1, .start_col = 0, .end_col = COLUMNS};
        len += vterm_screen_get_text(screen, picture->text + len, LINE_MAX_BYTES - 1, rect);
        picture->text[len++] = '\n';
    }
    picture->text[len] = '\0';
    vterm_free(vterm);
    bytes_clear(&bytes);
    return picture->text;
}

static void expect(struct picture *picture, const char *words)
{
    if (strstr(read_picture(picture), words) == NULL) {
        fail_msg("\"%s\" is not in\n%s", words, picture->text);
    }
}

static void draw_hand(struct picture *picture)
{
    struct hand_plans plans;
    hand_plans_make(&picture->view, &picture->words, COLUMNS, false, false, &plans);
    struct area area = {2, 0, plans.framed.rows, COLUMNS};
    hand_draw(&picture->canvas, &area, &plans.framed, &picture->view, &picture->words, -1);
}

static void hidden_slots_keep_their_places_and_show_what_was_told(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    view->seats = 2;
    view->slot_count[0] = 5;
    view->hands[0][1].suit = 2;                    /* its suit was told */
    view->hands[0][2].card = card_of(&deck, 0, 2); /* both were */
    view->hands[0][2].suit = 0;
    view->hands[0][2].value = 2;
    view->hands[0][3].card = TEMPEST;
    view->hands[0][4].is_traded = true;
    draw_hand(picture);
    expect(picture, "│      ?       │     East     │ Northwind 2  │   TEMPEST    │      ?       │");
    expect(picture, "5↔");
    expect(picture, "3*");
    view->hands[0][1].is_empty = true;
    display_clear(picture->display, &theme);
    draw_hand(picture);
    expect(picture, "│      ?       │              │ Northwind 2  │");
}

static void fifteen_cards_of_named_suits_fit_80_columns(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    view->seats = 3;
    view->slot_count[0] = 15;
    for (uint8_t i = 0; i < 15; i++) {
        view->hands[0][i].card = card_of(&deck, i % 3, (uint8_t)(15 - i));
    }
    view->to_act = 1;
    view->phase = 2;
    move_set_add(&view->legal, 0);
    draw_hand(picture);
    for (uint8_t i = 0; i < 15; i++) {
        char words[32];
        snprintf(words, sizeof(words), "%d", 15 - i);
        expect(picture, words);
    }
    expect(picture, "[15]");
    expect(picture, "E"); /* the fifteenth card's key */
}

static void seven_open_hands_stand_under_their_names(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct table_layout layout;
    view->seats = 7;
    for (uint8_t seat = 0; seat < 7; seat++) {
        view->slot_count[seat] = 5;
        for (uint8_t i = 0; i < 5 && seat > 0; i++) {
            view->hands[seat][i].card = card_of(&deck, i % 3, (uint8_t)(seat + i));
        }
    }
    view->hands[3][2].suit = 2;
    struct scene scene = {.view = view, .words = picture->words};
    assert_true(scene_has_open_hands(&scene));
    struct table_wants wants = {.seats = 7,
                                .has_hand = true,
                                .hand_rows = 4,
                                .hand_rows_small = 1,
                                .prompt_rows = 1,
                                .card_width = scene_card_width(&scene),
                                .has_open_hands = true};
    table_layout_make(&picture->canvas.body, &wants, &layout);
    assert_false(layout.is_list);
    scene_draw(&picture->canvas, &layout, &scene);
    expect(picture, "3No 4So 5Ea*6No"); /* what ella was told keeps her order */
    expect(picture, "5No 2No 6So 3So 4Ea");
}

static void a_choice_beside_the_cards_has_a_letter(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct choices choices;
    view->seats = 2;
    view->to_act = 1;
    view->slot_count[0] = 5;
    move_set_add(&view->legal, 2);
    move_set_add(&view->legal, PASS);
    choices_make(view, &choices);
    assert_int_equal(choices.count, 1);
    assert_int_equal(choices.keys, CHOICE_LETTERS);
    struct choice_cursor cursor = choice_cursor_none();
    struct press press = {.kind = PRESS_CHAR, .code = (uint32_t)choices.typed[0][0]};
    uint8_t move = MOVE_NONE;
    assert_int_equal(choices_key(&choices, &cursor, &press, &move), CHOICE_MADE);
    assert_int_equal(move, PASS);
    struct area area = {4, 10, 5, 40};
    choices_draw_list(&picture->canvas, &area, &choices, &cursor, view, &picture->words);
    expect(picture, "a [keep all cards]");
}

static void numbers_that_begin_others_wait_for_enter(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct choices choices;
    struct choice_cursor cursor = choice_cursor_none();
    uint8_t move = MOVE_NONE;
    view->seats = 2;
    view->to_act = 1;
    for (uint8_t number = 0; number <= 12; number++) {
        move_set_add(&view->legal, number);
    }
    choices_make(view, &choices);
    assert_int_equal(choices.keys, CHOICE_NUMBERS);
    assert_int_equal(choices.count, 13);
    struct press one = {.kind = PRESS_CHAR, .code = '1'};
    struct press two = {.kind = PRESS_CHAR, .code = '2'};
    struct press enter = {.kind = PRESS_ENTER};
    assert_int_equal(choices_key(&choices, &cursor, &one, &move), CHOICE_TAKEN);
    assert_int_equal(choices_key(&choices, &cursor, &enter, &move), CHOICE_MADE);
    assert_int_equal(move, 1);
    assert_int_equal(choices_key(&choices, &cursor, &one, &move), CHOICE_TAKEN);
    assert_int_equal(choices_key(&choices, &cursor, &two, &move), CHOICE_MADE);
    assert_int_equal(move, 12);
}

#define pictured(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        pictured(hidden_slots_keep_their_places_and_show_what_was_told),
        pictured(fifteen_cards_of_named_suits_fit_80_columns),
        pictured(seven_open_hands_stand_under_their_names),
        pictured(a_choice_beside_the_cards_has_a_letter),
        pictured(numbers_that_begin_others_wait_for_enter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
