#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "games/face.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests choosing from a list with mouse and keys. Unavailable choices stay in the list. */

static bool find_unavailable_move(const struct game_view *view, uint8_t *unavailable_move)
{
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        if (view->game->face->lists(view, move) && !move_set_has(&view->legal, move)) {
            *unavailable_move = move;
            return true;
        }
    }
    return false;
}

/* Finds the first game that can list unavailable choices, turns all its options on, and plays until
 * the viewer may move and a choice is unavailable. Returns false if there is no such game. */
static bool play_until_a_choice_is_unavailable(struct stage *stage, uint8_t player_count,
                                               uint8_t *unavailable_move)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    uint8_t at = 0;
    while (at < game_count() && game_at(at)->face->lists == NULL) {
        at++;
    }
    if (at == game_count()) {
        return false;
    }
    stage_init(stage, &setup, game_at(at), player_count, 0);
    for (uint8_t i = 0; i < stage->game->option_count; i++) {
        stage->config.options[i] |= stage->game->options[i].type == OPTION_SWITCH;
    }
    stage_deal(stage, 3);
    struct game_view view;
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (!view_viewer_may_move(&view) || !find_unavailable_move(&view, unavailable_move));
    return true;
}

/* Finds where the screen shows the words. Row and column count from 1, as terminals count them. */
static void find_words_on_screen(struct driver *driver, const char *words, int *row, int *column)
{
    for (*row = 1; *row <= 24; (*row)++) {
        const char *text = driver_read_row(driver, *row - 1);
        const char *at = strstr(text, words);
        if (at != NULL) {
            *column = 1;
            for (; text < at; text++) {
                *column += (*text & 0xC0) != 0x80;
            }
            return;
        }
    }
    driver_expect(driver, words);
}

static void click_at(struct driver *driver, int row, int column)
{
    char keys[64];
    (void)snprintf(keys, sizeof(keys), "\033[<0;%d;%dM\033[<0;%d;%dm", column, row, column, row);
    driver_type(driver, keys);
}

/* The test clicks a choice at its label in a line, or at its cell in a grid. */
static void a_click_on_a_choice_chooses_it(void **state)
{
    (void)state;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct stage stage;
    uint8_t unavailable_move = 0;
    int row = 0, column = 0;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    assert_true(stage_play_until_turn(&stage, 0));
    find_words_on_screen(stage.driver, "[2]", &row, &column);
    click_at(stage.driver, row, column + 3); /* a click beside the choice */
    assert_null(driver_find_request(stage.driver, "move"));
    click_at(stage.driver, row, column + 1);
    const json_t *sent = driver_find_request(stage.driver, "move");
    assert_non_null(sent);
    assert_non_null(strchr(json_string_value(json_object_get(sent, "move")), '2'));
    stage_clear(&stage);

    assert_true(play_until_a_choice_is_unavailable(&stage, 4, &unavailable_move));
    find_words_on_screen(stage.driver, "[2]", &row, &column);
    click_at(stage.driver, row, column + 1);
    assert_non_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

/* Moves the cursor to the choice of this move, with the arrow keys. */
static void move_cursor_to_choice(struct driver *driver, const struct choices *choices,
                                  uint8_t move)
{
    int index = 0;
    while (choices->moves[index] != move) {
        index++;
        assert_true(index < choices->count);
    }
    driver_type(driver, "\033[H");
    for (int i = 0; i < index / choices->across; i++) {
        driver_type(driver, "\033[B");
    }
    for (int i = 0; i < index % choices->across; i++) {
        driver_type(driver, "\033[C");
    }
}

static void an_unavailable_choice_stays_listed_but_cannot_be_chosen(void **state)
{
    (void)state;
    for (uint8_t players = 3; players <= 5; players++) {
        struct stage stage;
        struct game_view view;
        struct choices choices;
        uint8_t unavailable_move = 0;
        assert_true(play_until_a_choice_is_unavailable(&stage, players, &unavailable_move));
        stage_write_view(&stage, &view);
        choices_collect(&view, &choices);
        assert_true(choices.across > 0 && choices.count % choices.across == 0);
        move_cursor_to_choice(stage.driver, &choices, unavailable_move);
        driver_type(stage.driver, "\r");
        assert_null(driver_find_request(stage.driver, "move"));
        uint8_t legal = move_set_next(&view.legal, 0);
        move_cursor_to_choice(stage.driver, &choices, legal);
        driver_type(stage.driver, "\r");
        assert_non_null(driver_find_request(stage.driver, "move"));
        stage_clear(&stage);
    }
}

static void a_typed_value_applies_to_the_selected_row(void **state)
{
    (void)state;
    struct stage stage;
    struct game_view view;
    struct choices choices;
    uint8_t unavailable_move = 0;
    char text[64];
    assert_true(play_until_a_choice_is_unavailable(&stage, 4, &unavailable_move));
    stage_write_view(&stage, &view);
    choices_collect(&view, &choices);
    int last = choices.count - 1; /* the index of the last legal choice */
    while (!move_set_has(&view.legal, choices.moves[last])) {
        last--;
    }
    int row = last / choices.across * choices.across;
    move_cursor_to_choice(stage.driver, &choices, choices.moves[row]);
    driver_type(stage.driver, choices.typed[last]);
    assert_null(driver_find_request(stage.driver, "move"));
    driver_type(stage.driver, "\r");
    const json_t *sent = driver_find_request(stage.driver, "move");
    struct text wanted = text_init(text, sizeof(text));
    game_move_write(stage.game, choices.moves[last], &wanted);
    assert_string_equal(json_string_value(json_object_get(sent, "move")), text);
    stage_clear(&stage);
}

/* Each legal choice on the screen is in brackets; unavailable choices have none. */
static void all_legal_choices_are_on_the_screen_at_once(void **state)
{
    (void)state;
    for (uint8_t players = 2; players <= 5; players++) {
        struct stage stage;
        struct game_view view;
        struct choices choices;
        uint8_t unavailable_move = 0;
        assert_true(play_until_a_choice_is_unavailable(&stage, players, &unavailable_move));
        stage_write_view(&stage, &view);
        choices_collect(&view, &choices);
        int shown = 0, wanted = 0;
        for (uint8_t i = 0; i < choices.count; i++) {
            wanted += move_set_has(&view.legal, choices.moves[i]);
        }
        for (const char *at = driver_read_screen(stage.driver); (at = strchr(at, '[')) != NULL;
             at++) {
            shown++;
        }
        assert_int_equal(shown, wanted);
        stage_clear(&stage);
    }
}

/* True if the key or its run is named, as in "2-4 7 play". */
static bool is_key_named(const char *begin, const char *end, char key)
{
    for (const char *at = begin; at < end; at++) {
        if (*at == key || (*at == '-' && at > begin && at[-1] < key && key < at[1])) {
            return true;
        }
    }
    return false;
}

/* Checks that the hint names the keys of the cards that may be chosen now, and no others. The hint
 * begins after the last two blanks of the row before `end`. */
static void check_named_keys(const struct game_view *view, const char *row, const char *end)
{
    uint8_t slots[SLOTS_MAX];
    bool keeps_slots = false;
    uint8_t count = hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
    const char *begin = end;
    while (begin > row && (begin[-1] != ' ' || (begin - 1 > row && begin[-2] != ' '))) {
        begin--;
    }
    for (int place = 0; place < count; place++) {
        uint8_t move = view->game->face->point(view, slots[place]);
        bool is_legal = move < MOVES_MAX && move_set_has(&view->legal, move);
        assert_int_equal(is_key_named(begin, end, hand_keyboard_key_of_place(place)), is_legal);
    }
}

/* Returns true if keys choose cards in this phase. If so, also checks that the key hints say what
 * choosing a card does and name the keys of these cards alone, like "1-5 drop" and "3 6 play". */
static bool check_card_key_hints(const struct game_def *game, uint8_t phase)
{
    static const struct driver_setup setup = {.columns = 80, .rows = 24};
    static struct game_view view;
    struct choices choices;
    struct stage stage;
    stage_init(&stage, &setup, game, game->seats_max, 0);
    stage_deal(&stage, 1);
    bool is_there = stage_play_until_turn(&stage, phase);
    stage_write_view(&stage, &view);
    choices_collect(&view, &choices);
    /* While the screen shows a finished trick, the hints name only the keys for that trick. */
    bool is_asked = is_there && choices.has_pointing && !view.has_last_trick;
    if (is_asked) {
        char words[64];
        snprintf(words, sizeof(words), " %s", face_describe_pointing_at_card(&view));
        const char *row = driver_read_row(stage.driver, 23);
        const char *end = strstr(row, words);
        assert_non_null(end);
        check_named_keys(&view, row, end);
    }
    stage_clear(&stage);
    return is_asked;
}

static void the_key_hints_say_what_choosing_a_card_does_in_each_phase(void **state)
{
    (void)state;
    unsigned asked = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        for (uint8_t phase = 0; phase < game_at(i)->phase_count; phase++) {
            asked += check_card_key_hints(game_at(i), phase);
        }
    }
    assert_true(asked >= game_count());
}

static void while_bids_are_made_no_numbers_of_cards_stand_above_the_hand(void **state)
{
    (void)state;
    static const char keys[] = "9      0"; /* above the last two of ten cards */
    struct stage stage;
    struct driver_setup setup = {.columns = 80, .rows = 24};
    stage_init(&stage, &setup, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 1);
    for (uint8_t bids = 0; bids < 3; bids++) {
        assert_false(driver_shows(stage.driver, keys));
        assert_true(stage_make_random_move(&stage));
    }
    driver_wait(stage.driver, 1300);
    assert_true(driver_shows(stage.driver, keys));
    stage_clear(&stage);
}

TEST_GROUP(table_choices)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_on_a_choice_chooses_it),
        cmocka_unit_test(an_unavailable_choice_stays_listed_but_cannot_be_chosen),
        cmocka_unit_test(a_typed_value_applies_to_the_selected_row),
        cmocka_unit_test(all_legal_choices_are_on_the_screen_at_once),
        cmocka_unit_test(while_bids_are_made_no_numbers_of_cards_stand_above_the_hand),
        cmocka_unit_test(the_key_hints_say_what_choosing_a_card_does_in_each_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
