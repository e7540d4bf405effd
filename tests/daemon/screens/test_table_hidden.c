#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

/*
 * Tests how hands with open, hidden and partly known cards are drawn. A made-up game has named
 * suits, clues, trades and many cards.
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
/* Move PAIRS + 10 * a + b chooses the numbers a and b; a is below 6. */
#define PAIRS 100
/* Move CLUES + n is a clue that names the cards in the slots n and n + 1 of seat 1. */
#define CLUES 170

static uint8_t write_no_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    (void)view;
    (void)out;
    return 0;
}

#define BADGE_ROUND 9

/* Gives every player two badges, but only in round BADGE_ROUND. */
static uint8_t write_two_badges(const struct game_view *view, uint8_t seat,
                                struct phrase out[FACE_BADGES_MAX])
{
    (void)seat;
    out[0] = phrase_without_args("dealer");
    out[1] = phrase_without_args("doubled");
    return view->round == BADGE_ROUND ? 2 : 0;
}

static uint8_t get_move_of_slot(const struct game_view *view, uint8_t slot)
{
    (void)view;
    return slot;
}

static struct phrase make_move_label(const struct game_view *view, uint8_t move)
{
    (void)view;
    if (move == PASS) {
        return phrase_without_args("keep all cards");
    }
    if (move >= CLUES) {
        return (struct phrase){.format = "{0}: from card {1}",
                               .args = {arg_of_seat(1), arg_of_number(move - CLUES + 1)}};
    }
    if (move >= PAIRS) {
        return (struct phrase){
            .format = "{0} or {1}",
            .args = {arg_of_number((move - PAIRS) / 10), arg_of_number((move - PAIRS) % 10)}};
    }
    return (struct phrase){.format = "{0}", .args = {arg_of_number(move)}};
}

static bool get_clue_target(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    (void)view;
    if (move < CLUES) {
        return false;
    }
    *out = (struct face_aim){1, (uint16_t)(3U << (move - CLUES)), "from card {1}"};
    return true;
}

static const struct game_face face = {.headline = write_no_headline,
                                      .badges = write_two_badges,
                                      .point = get_move_of_slot,
                                      .label = make_move_label,
                                      .aim = get_clue_target};
static const struct phase_def phases[] = {{.name = "trade"}, {.name = "bid"}, {.name = "play"}};
static const struct move_def moves[] = {{"any", MOVE_OWN, 0, 0, MOVES_MAX, NULL}, {0}};
static const struct game_def winds = {.id = "winds",
                                      .title = "Winds",
                                      .deck = &deck,
                                      .phases = phases,
                                      .phase_count = 3,
                                      .moves = moves,
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
    picture->canvas = (struct canvas){.frame = display_begin_frame(picture->display, &theme),
                                      .theme = &theme,
                                      .body = {0, 0, ROWS - 3, COLUMNS}};
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

/* Paints the canvas on a terminal, and returns the terminal's text, line by line. */
static const char *paint_and_read_picture(struct picture *picture)
{
    struct bytes bytes;
    bytes_init(&bytes, 1u << 20);
    display_force_redraw(picture->display); /* the whole screen is painted, not only the changes */
    assert_true(display_end_frame(picture->display, 0, 0, &bytes));
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

static void expect_words(struct picture *picture, const char *words)
{
    if (strstr(paint_and_read_picture(picture), words) == NULL) {
        fail_msg("\"%s\" is not in\n%s", words, picture->text);
    }
}

static void draw_hand(struct picture *picture)
{
    struct hand_plans plans;
    hand_make_plans(&picture->view, &picture->words, COLUMNS, false, false, &plans);
    struct area area = {2, 0, plans.framed.rows, COLUMNS};
    hand_draw(&picture->canvas, &area, &plans.framed, &picture->view, &picture->words, -1);
}

static void hidden_cards_keep_their_places_and_show_what_clues_revealed(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    view->seats = 2;
    view->slot_count[0] = 5;
    view->hands[0][1].suit = 2; /* a clue told the suit of this card */
    /* clues told the suit and the value of this card */
    view->hands[0][2].card = card_of(&deck, 0, 2);
    view->hands[0][2].suit = 0;
    view->hands[0][2].value = 2;
    view->hands[0][3].card = TEMPEST;
    view->hands[0][4].is_traded = true;
    draw_hand(picture);
    expect_words(picture,
                 "│      ?       │    East ?    │ Northwind 2  │   TEMPEST    │      ?       │");
    expect_words(picture, "5↔");
    view->hands[0][1].is_empty = true;
    display_begin_frame(picture->display, &theme);
    draw_hand(picture);
    expect_words(picture, "│      ?       │              │ Northwind 2  │");
}

static void fifteen_cards_with_suit_names_fit_80_columns(void **state)
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
        expect_words(picture, words);
    }
    expect_words(picture, "[15]");
    expect_words(picture, "E"); /* the fifteenth card's key */
}

/* A hand of three slots at seat 1, of which only the first card is known. */
static void a_hand_whose_known_cards_are_played_stays_in_sight(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        static struct game_view view;
        view_clear(&view);
        view.game = game_at(i);
        view.seat = 0;
        view.seats = 3;
        view.slot_count[1] = 3;
        for (int slot = 0; slot < 3; slot++) {
            view.hands[1][slot] = (struct view_slot){.card = CARD_NONE, .suit = SUIT_NONE};
        }
        const struct scene scene = {.view = &view};
        assert_false(open_hand_is_shown(&scene, 1)); /* nothing is known yet */
        view.hands[1][0].is_empty = true;
        assert_int_equal(open_hand_is_shown(&scene, 1), view_tells_slots(&view));
        view.hands[1][1].is_empty = true;
        view.hands[1][2].is_empty = true;
        assert_false(open_hand_is_shown(&scene, 1)); /* nothing is left */
    }
}

static void seven_open_hands_are_shown_under_their_names(void **state)
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
    assert_true(scene_compute_layout_needs(&scene).has_open_hands);
    struct table_layout_needs wants = {.seats = 7,
                                       .has_hand = true,
                                       .hand_rows = 4,
                                       .hand_rows_small = 1,
                                       .prompt_rows = 1,
                                       .card_width = scene_compute_layout_needs(&scene).card_width,
                                       .has_open_hands = true};
    table_layout_make(&picture->canvas.body, &wants, &layout);
    assert_false(layout.is_list);
    scene_draw(&picture->canvas, &layout, &scene);
    expect_words(picture,
                 "3No 4So 5Ea@6No"); /* the clues about ella's cards keep them in their slots */
    expect_words(picture, "5No 2No 6So 3So 4Ea");
}

static void the_badges_of_seven_players_are_shown_whole(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct table_layout layout;
    view->seats = 7;
    view->round = BADGE_ROUND;
    view->to_act = 1U << 3;
    struct scene scene = {.view = view, .words = picture->words};
    struct table_layout_needs wants = {.seats = 7,
                                       .has_hand = true,
                                       .hand_rows = 4,
                                       .hand_rows_small = 1,
                                       .prompt_rows = 1,
                                       .card_width = scene_compute_layout_needs(&scene).card_width};
    table_layout_make(&picture->canvas.body, &wants, &layout);
    assert_false(layout.is_list);
    scene_draw(&picture->canvas, &layout, &scene);
    size_t dealers = 0, doubled = 0;
    for (const char *at = paint_and_read_picture(picture); (at = strstr(at, "dealer")) != NULL;
         at++) {
        dealers++;
    }
    for (const char *at = picture->text; (at = strstr(at, "doubled")) != NULL; at++) {
        doubled++;
    }
    if (dealers != 7 || doubled != 7) {
        fail_msg("%zu and %zu of 7 badges in\n%s", dealers, doubled, picture->text);
    }
    expect_words(picture, "◄ to lead");
}

static void a_choice_beside_the_cards_has_a_letter_as_its_key(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct choices choices;
    view->seats = 2;
    view->to_act = 1;
    view->slot_count[0] = 5;
    move_set_add(&view->legal, 2);
    move_set_add(&view->legal, PASS);
    choices_collect(view, &choices);
    assert_int_equal(choices.count, 1);
    assert_int_equal(choices.keys, CHOICE_LETTERS);
    struct choice_cursor cursor = choices_make_empty_cursor();
    struct press press = {.kind = PRESS_CHAR, .code = (uint32_t)choices.typed[0][0]};
    uint8_t move = MOVE_NONE;
    assert_int_equal(choices_handle_key(&choices, &cursor, &press, &move), CHOICE_TAKEN);
    assert_int_equal(move, MOVE_NONE);
    press.kind = PRESS_ENTER;
    assert_int_equal(choices_handle_key(&choices, &cursor, &press, &move), CHOICE_MADE);
    assert_int_equal(move, PASS);
    struct area area = {4, 10, 5, 40};
    choices_draw_list(&picture->canvas, &area, &choices, &cursor, &picture->words);
    expect_words(picture, "a [keep all cards]");
}

static void a_typed_number_that_can_become_longer_waits_for_enter(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct choices choices;
    struct choice_cursor cursor = choices_make_empty_cursor();
    uint8_t move = MOVE_NONE;
    view->seats = 2;
    view->to_act = 1;
    for (uint8_t number = 0; number <= 12; number++) {
        move_set_add(&view->legal, number);
    }
    choices_collect(view, &choices);
    assert_int_equal(choices.keys, CHOICE_NUMBERS);
    assert_int_equal(choices.count, 13);
    struct press one = {.kind = PRESS_CHAR, .code = '1'};
    struct press two = {.kind = PRESS_CHAR, .code = '2'};
    struct press enter = {.kind = PRESS_ENTER};
    assert_int_equal(choices_handle_key(&choices, &cursor, &one, &move), CHOICE_TAKEN);
    assert_int_equal(choices_handle_key(&choices, &cursor, &enter, &move), CHOICE_MADE);
    assert_int_equal(move, 1);
    assert_int_equal(choices_handle_key(&choices, &cursor, &one, &move), CHOICE_TAKEN);
    assert_int_equal(choices_handle_key(&choices, &cursor, &two, &move), CHOICE_MADE);
    assert_int_equal(move, 12);
}

/* Fills in a view in which the viewer chooses one number from 0 to 9, or 3 and 8, or 1 and 2. */
static void collect_pairs(struct game_view *view, struct choices *choices)
{
    view->seats = 2;
    view->to_act = 1;
    for (uint8_t number = 0; number <= 9; number++) {
        move_set_add(&view->legal, number);
    }
    move_set_add(&view->legal, PAIRS + 38);
    move_set_add(&view->legal, PAIRS + 12);
    choices_collect(view, choices);
    assert_int_equal(choices->keys, CHOICE_NUMBERS);
    assert_true(choices->has_pairs);
}

/* Types the characters; "<" and ">" stand for the arrow keys, "~" for Backspace. Fails if one of
 * them chooses a move. */
static void type_into_pairs(const struct choices *choices, struct choice_cursor *cursor,
                            const char *typed)
{
    uint8_t move;
    for (; *typed != '\0'; typed++) {
        struct press press = {.kind = *typed == '<'   ? PRESS_LEFT
                                      : *typed == '>' ? PRESS_RIGHT
                                      : *typed == '~' ? PRESS_BACKSPACE
                                                      : PRESS_CHAR,
                              .code = (uint32_t)*typed};
        assert_int_equal(choices_handle_key(choices, cursor, &press, &move), CHOICE_TAKEN);
    }
}

static void one_number_or_two_wait_for_enter(void **state)
{
    struct picture *picture = *state;
    static const struct {
        const char *typed;
        uint8_t move;
    } cases[] = {
        {"8,3", PAIRS + 38}, /* either order */
        {"38", PAIRS + 38},  /* no number goes on with 8: it is the second one */
        {"12", PAIRS + 12},   {"5", 5},   {"53", 3}, /* there is no pair of 5 and 3: a new number */
        {"3,8~~", 3},         {">>>", 2}, {"2<", 1},
        {"1,>>", PAIRS + 12}, /* the first number is skipped */
    };
    const struct press enter = {.kind = PRESS_ENTER};
    struct choices choices;
    collect_pairs(&picture->view, &choices);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct choice_cursor cursor = choices_make_empty_cursor();
        uint8_t move = MOVE_NONE;
        type_into_pairs(&choices, &cursor, cases[i].typed);
        assert_int_equal(choices_handle_key(&choices, &cursor, &enter, &move), CHOICE_MADE);
        assert_int_equal(move, cases[i].move);
    }
    struct choice_cursor cursor = choices_make_empty_cursor();
    uint8_t move = MOVE_NONE;
    type_into_pairs(&choices, &cursor, "3,");
    assert_int_equal(choices_handle_key(&choices, &cursor, &enter, &move), CHOICE_IGNORED);
}

static void clicks_choose_one_number_or_two_and_enter_confirms(void **state)
{
    struct picture *picture = *state;
    const struct area area = {10, 1, 2, 78};
    const struct press enter = {.kind = PRESS_ENTER};
    static const uint8_t clicks[] = {8, 3};
    struct choices choices;
    struct choice_cursor cursor = choices_make_empty_cursor();
    uint8_t move = MOVE_NONE;
    collect_pairs(&picture->view, &choices);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            choices_draw_rows(&picture->canvas, &area, &choices, &cursor, &picture->words), 2);
        const struct press click = {.kind = PRESS_CLICK, .row = 10, .column = 2 + 4 * clicks[i]};
        assert_int_equal(choices_handle_key(&choices, &cursor, &click, &move), CHOICE_TAKEN);
    }
    (void)choices_draw_rows(&picture->canvas, &area, &choices, &cursor, &picture->words);
    expect_words(picture, "[2] <3> [4] [5] [6] [7] <8> [9]");
    expect_words(picture, "8,3_");
    assert_int_equal(choices_handle_key(&choices, &cursor, &enter, &move), CHOICE_MADE);
    assert_int_equal(move, PAIRS + 38);
}

static void selecting_a_card_highlights_the_cards_a_clue_would_name(void **state)
{
    struct picture *picture = *state;
    struct game_view *view = &picture->view;
    struct aims aims;
    struct aim_cursor cursor = {.seat = UINT8_MAX};
    uint8_t move;
    view->seats = 3;
    view->to_act = 1;
    view->slot_count[1] = 5;
    move_set_add(&view->legal, CLUES + 1);
    move_set_add(&view->legal, CLUES + 2);
    aims_collect_pointing_moves(view, &aims);
    assert_int_equal(aims.count, 2);
    aims_put_cursor_on_valid_card(&aims, &cursor);
    assert_int_equal(cursor.seat, 1);
    assert_int_equal(aims_find_highlighted_slots(&aims, &cursor, 1), 6);
    assert_int_equal(aims_find_highlighted_slots(&aims, &cursor, 2), 0);
    const struct press right = {.kind = PRESS_RIGHT};
    const struct press tab = {.kind = PRESS_TAB};
    const struct press enter = {.kind = PRESS_ENTER};
    /* card 3: both clues name it */
    assert_true(aims_handle_key(&aims, &cursor, &right, &move));
    assert_int_equal(aims_find_highlighted_slots(&aims, &cursor, 1), 6);
    assert_true(aims_handle_key(&aims, &cursor, &tab, &move));
    assert_int_equal(aims_find_highlighted_slots(&aims, &cursor, 1), 12);
    struct area row = {5, 1, 1, 78};
    aims_draw(&picture->canvas, &row, &aims, &cursor, &picture->words);
    expect_words(picture, "clue for ada:  from card 2  [from card 3 (cards 3, 4)]");
    assert_true(aims_handle_key(&aims, &cursor, &enter, &move));
    assert_int_equal(move, CLUES + 2);
    assert_true(aims_handle_key(&aims, &cursor, &right, &move));
    /* card 5: no clue names it */
    assert_true(aims_handle_key(&aims, &cursor, &right, &move));
    assert_int_equal(aims_find_highlighted_slots(&aims, &cursor, 1), 16);
    assert_true(aims_handle_key(&aims, &cursor, &enter, &move));
    assert_int_equal(move, MOVE_NONE);
}

#define pictured(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_GROUP(table_hidden)
{
    const struct CMUnitTest tests[] = {
        pictured(hidden_cards_keep_their_places_and_show_what_clues_revealed),
        pictured(fifteen_cards_with_suit_names_fit_80_columns),
        cmocka_unit_test(a_hand_whose_known_cards_are_played_stays_in_sight),
        pictured(seven_open_hands_are_shown_under_their_names),
        pictured(the_badges_of_seven_players_are_shown_whole),
        pictured(a_choice_beside_the_cards_has_a_letter_as_its_key),
        pictured(a_typed_number_that_can_become_longer_waits_for_enter),
        pictured(one_number_or_two_wait_for_enter),
        pictured(clicks_choose_one_number_or_two_and_enter_confirms),
        pictured(selecting_a_card_highlights_the_cards_a_clue_would_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
