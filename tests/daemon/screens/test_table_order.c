#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests how a player puts the suits of a hand in order, with keys, clicks and typed lines. */

#define LINE_BYTES 200
#define SUITS 4
#define RIGHT "\x1b[C"
#define DOWN "\x1b[B"

/* A player who has to put the suits in order, in the first game with such moves. */
struct table {
    struct stage stage;
    struct game_view view;
    struct face_order first; /* the order that the screen shows at first */
};

static void deal_hand_to_order(struct table *table, const struct driver_setup *setup)
{
    const struct order_cursor cursor = order_make_empty_cursor();
    uint8_t at = 0;
    table->first.suit_count = 0;
    while (at < game_count() && game_at(at)->face->order == NULL) {
        at++;
    }
    assert_true(at < game_count());
    stage_init(&table->stage, setup, game_at(at), game_at(at)->seats_max, 0);
    for (uint32_t seed = 1; table->first.suit_count < SUITS; seed++) {
        stage_deal(&table->stage, seed);
        stage_write_view(&table->stage, &table->view);
        assert_true(order_is_asked(&table->view));
        assert_true(order_find_shown(&table->view, &cursor, &table->first));
    }
}

/* Fails unless the session requested the order with the suits that had these places at first, such
 * as "2134". Refuses the request. */
static void expect_order(struct table *table, const char *places)
{
    const json_t *sent = driver_find_request(table->stage.driver, "move");
    struct face_order order;
    assert_non_null(sent);
    uint8_t move =
        game_move_parse(table->stage.game, json_string_value(json_object_get(sent, "move")));
    assert_true(table->stage.game->face->order(&table->view, move, &order));
    for (int i = 0; i < SUITS; i++) {
        assert_int_equal(order.suits[i], table->first.suits[places[i] - '1']);
    }
    driver_refuse(table->stage.driver, "move", "later", "Not yet.");
}

static void enter_gives_an_order_that_nobody_has_changed_only_the_second_time(void **state)
{
    (void)state;
    static const char *const others[] = {"t", "c\x1b", "q\x1b", "\x1b"};
    struct table table;
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    struct driver *driver = table.stage.driver;
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        driver_type(driver, "\r");
        assert_null(driver_find_request(driver, "move"));
        driver_expect(driver, "Enter again gives the hand in this order");
        driver_type(driver, others[i]); /* now the next Enter is the first one again */
    }
    driver_type(driver, "\r");
    assert_null(driver_find_request(driver, "move"));
    driver_type(driver, "\r");
    expect_order(&table, "1234");
    stage_clear(&table.stage);
}

static void a_key_of_its_own_gives_the_hand_in_the_order_shown(void **state)
{
    (void)state;
    struct table table;
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    driver_expect(table.stage.driver, "= give");
    driver_type(table.stage.driver, "=");
    expect_order(&table, "1234");
    driver_type(table.stage.driver, "12=");
    expect_order(&table, "2134");
    driver_expect(table.stage.driver, "= give"); /* the same key is named all the time */
    driver_type(table.stage.driver, "\r");
    expect_order(&table, "2134"); /* Enter works as well */
    stage_clear(&table.stage);
}

static void the_keys_that_change_the_order_are_named_also_after_a_wrong_key(void **state)
{
    (void)state;
    struct table table;
    static const int columns[] = {60, 80};
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        deal_hand_to_order(&table, &(struct driver_setup){.columns = columns[i], .rows = 24});
        driver_expect(table.stage.driver, "= give  < > move  1-4 pick");
        driver_type(table.stage.driver, "z");
        driver_expect(table.stage.driver, "= give  < > move  1-4 pick");
        if (columns[i] == 80) {
            driver_expect(table.stage.driver, "z does nothing here. Keys: = give, < > move, ");
        }
        stage_clear(&table.stage);
    }
}

static void what_a_prediction_pays_is_shown_with_an_example_before_anything_is_typed(void **state)
{
    (void)state;
    struct table table;
    static const int columns[] = {60, 80};
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        deal_hand_to_order(&table, &(struct driver_setup){.columns = columns[i], .rows = 24});
        stage_make_move(&table.stage, 0, move_set_next(&table.view.legal, 0));
        driver_wait(table.stage.driver, 1300);
        driver_expect(table.stage.driver, " (pays 5); two, as 3,4, pay 2");
        driver_expect(table.stage.driver, "); two, as 3,4, pay 2");
        driver_expect(table.stage.driver, "3 or 3,4 one number or two");
        stage_clear(&table.stage);
    }
}

/* Reads row 1 of the screen, after the viewer has predicted 3 or 4, and all others have prepared.
 */
static const char *read_headline_after_predicting(struct table *table)
{
    struct stage *stage = &table->stage;
    struct game_view view;
    for (uint8_t seat = 0; seat < table->view.seats; seat++) {
        for (int move = 0; move < 2; move++) {
            struct move_set legal;
            game_find_legal_moves(stage->game, &stage->state, seat, &legal);
            stage_make_move(stage, seat,
                            seat == 0 && move == 1 ? game_move_parse(stage->game, "predict:3,4")
                                                   : move_set_next(&legal, 0));
        }
    }
    stage_write_view(stage, &view);
    assert_int_equal(view.phase, stage->game->phase_count - 1);
    return driver_read_row(stage->driver, 0);
}

static void
the_own_prediction_and_the_neighbours_tricks_fit_the_headline_of_60_columns(void **state)
{
    (void)state;
    static const char *const parts[][2] = {{"you said 3 or 4", "ada has 0"},
                                           {"Tipp: 3 oder 4", "ada hat 0"}};
    static const char *const languages[] = {"en", "de"};
    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        struct table table;
        assert_true(i18n_choose_language(languages[i]));
        deal_hand_to_order(&table, &(struct driver_setup){.columns = 60, .rows = 18});
        const char *headline = read_headline_after_predicting(&table);
        if (strstr(headline, parts[i][0]) == NULL || strstr(headline, parts[i][1]) == NULL) {
            fail_msg("the headline is \"%s\"", headline);
        }
        stage_clear(&table.stage);
    }
    assert_true(i18n_choose_language("en"));
}

static void the_picked_suit_moves_and_two_numbers_swap(void **state)
{
    (void)state;
    static const char *const keys_and_orders[][2] = {
        {RIGHT ">\r", "2134"},
        {RIGHT RIGHT ">\r", "1324"},
        {RIGHT RIGHT "<\r", "2134"},
        {RIGHT "<\r", "1234"},
        {"14\r", "4231"},
        {"1423\r", "4321"},
        {"22\r", "1234"},
        {RIGHT "4\r", "4231"},
        {">>>\r", "2341"},
        {RIGHT ">\x1b\r", "2134"}, /* Esc puts the suit down where it is now */
        {RIGHT ">\x1b\x1b\r\r", "1234"},
        {DOWN ">\r", "2134"}, /* up and down pick too, and move nothing */
        {RIGHT DOWN "\r", "1234"},
    };
    for (size_t i = 0; i < ARRAY_LEN(keys_and_orders); i++) {
        struct table table;
        deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
        driver_type(table.stage.driver, keys_and_orders[i][0]);
        expect_order(&table, keys_and_orders[i][1]);
        stage_clear(&table.stage);
    }
}

/* Finds the row of the screen that contains the words; -1 if there is none. */
static int find_row(struct driver *driver, const char *words)
{
    for (int row = 0; row < 24; row++) {
        if (strstr(driver_read_row(driver, row), words) != NULL) {
            return row;
        }
    }
    return -1;
}

/* Writes the cards of the hand as they lie in that order: "1R 3R …", in plain mode "red 1, …". */
static void write_hand(const struct table *table, const struct face_order *order,
                       bool is_plain_mode, const char *separator, char *out)
{
    const struct theme theme = {.is_ascii = true, .is_plain_mode = is_plain_mode};
    const struct words words = {
        .theme = &theme, .game = table->stage.game, .you = 0, .is_plain = true};
    struct text text = text_init(out, LINE_BYTES);
    for (uint8_t place = 0; place < table->view.slot_count[0]; place++) {
        text_put(&text, place > 0 ? separator : "");
        words_write_card(&words, table->view.hands[0][order->slots[place]].card, &text);
    }
}

static void the_hand_is_drawn_in_the_order_as_it_stands(void **state)
{
    (void)state;
    struct table table;
    struct face_order swapped;
    char line[LINE_BYTES];
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    write_hand(&table, &table.first, false, "  │  ", line);
    driver_expect(table.stage.driver, line);
    uint8_t suits[] = {table.first.suits[1], table.first.suits[0], table.first.suits[2],
                       table.first.suits[3]};
    for (uint8_t move = move_set_next(&table.view.legal, 0); move != MOVE_NONE;
         move = move_set_next(&table.view.legal, move + 1U)) {
        assert_true(table.stage.game->face->order(&table.view, move, &swapped));
        if (memcmp(swapped.suits, suits, sizeof(suits)) == 0) {
            break;
        }
    }
    driver_type(table.stage.driver, "12");
    write_hand(&table, &swapped, false, "  │  ", line);
    driver_expect(table.stage.driver, line);
    stage_clear(&table.stage);
}

/* At 60 columns the cards stand in one row without frames; nothing wraps. */
static void a_narrow_screen_shows_the_hand_in_one_row(void **state)
{
    (void)state;
    struct table table;
    char line[LINE_BYTES];
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 60, .rows = 18});
    write_hand(&table, &table.first, false, "   ", line);
    driver_expect(table.stage.driver, line);
    stage_clear(&table.stage);
}

static void the_cards_that_the_holder_will_see_are_marked_and_named(void **state)
{
    (void)state;
    struct table table;
    int marks = 0;
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24, .is_ascii = true});
    struct driver *driver = table.stage.driver;
    int row = find_row(driver, "will see only");
    assert_true(row > 2);
    const char *at = driver_read_row(driver, row - 1);
    for (size_t column = 0; at[column] != '\0'; column++) {
        int place = ((int)column - 2) / 7; /* a card and its frame take seven columns */
        if (at[column] == '^') {
            assert_true((table.first.seen >> place & 1) != 0);
            marks++;
        }
    }
    assert_int_equal(marks, __builtin_popcount(table.first.seen));
    stage_clear(&table.stage);
}

static void a_click_on_the_cards_of_two_suits_swaps_them(void **state)
{
    (void)state;
    struct table table;
    char keys[64];
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    struct driver *driver = table.stage.driver;
    int row = find_row(driver, "will see only") - 2; /* rows count from 1 in clicks */
    for (int i = 0; i < 2; i++) {
        int column = i == 0 ? 4 : 4 + 10 * 7; /* the first and the last card */
        (void)snprintf(keys, sizeof(keys), "\033[<0;%d;%dM\033[<0;%d;%dm", column, row, column,
                       row);
        driver_type(driver, keys);
        assert_null(driver_find_request(driver, "move"));
    }
    driver_type(driver, "\r");
    expect_order(&table, "4231");
    stage_clear(&table.stage);
}

static void the_chosen_order_stays_in_sight_while_others_prepare(void **state)
{
    (void)state;
    struct table table;
    char line[LINE_BYTES];
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    stage_make_move(&table.stage, 0, move_set_next(&table.view.legal, 0));
    write_hand(&table, &table.first, false, "  │  ", line);
    driver_expect(table.stage.driver, line);
    driver_expect(table.stage.driver, "will see only");
    driver_expect_not(table.stage.driver, "< > move");
    stage_clear(&table.stage);
}

/* Writes the names of the suits from right to left. */
static void write_suits(const struct table *table, bool is_title, const char *separator, char *out)
{
    struct text text = text_init(out, LINE_BYTES);
    for (int i = SUITS - 1; i >= 0; i--) {
        const struct suit_def *suit = &table->stage.game->deck->suits[table->first.suits[i]];
        text_put(&text, is_title ? _(suit->title) : _(suit->letters));
        text_put(&text, i > 0 ? separator : "");
    }
}

static void expect_line_is_reversed_order(const struct table *table, const char *line)
{
    struct face_order order;
    uint8_t move = order_parse_line(&table->view, line);
    assert_true(table->stage.game->face->order(&table->view, move, &order));
    for (int i = 0; i < SUITS; i++) {
        assert_int_equal(order.suits[i], table->first.suits[SUITS - 1 - i]);
    }
}

static void an_order_can_be_typed_as_letters_or_names_in_each_language(void **state)
{
    (void)state;
    struct table table;
    char line[LINE_BYTES], longer[LINE_BYTES * 2];
    deal_hand_to_order(&table, &(struct driver_setup){.columns = 80, .rows = 24});
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        assert_true(i18n_choose_language(i18n_tags[i]));
        write_suits(&table, false, "", line);
        expect_line_is_reversed_order(&table, line);
        snprintf(longer, sizeof(longer), "order %s", line);
        expect_line_is_reversed_order(&table, longer);
        line[0] |= 0x20; /* a lower-case letter */
        expect_line_is_reversed_order(&table, line);
        write_suits(&table, true, ", ", line);
        expect_line_is_reversed_order(&table, line);
        snprintf(longer, sizeof(longer), "%s %s", _("order"), line);
        expect_line_is_reversed_order(&table, longer);
        assert_int_equal(order_parse_line(&table.view, _("order")),
                         move_set_next(&table.view.legal, 0));
        line[strlen(line) / 2] = '\0';
        assert_int_equal(order_parse_line(&table.view, line), MOVE_NONE);
        assert_int_equal(order_parse_line(&table.view, "orders"), MOVE_NONE);
    }
    assert_true(i18n_choose_language("en"));
    write_suits(&table, false, " ", line);
    assert_true(i18n_choose_language(i18n_tags[i18n_count_languages() - 1]));
    expect_line_is_reversed_order(&table, line); /* English letters, in another language */
    assert_true(i18n_choose_language("en"));
    stage_clear(&table.stage);
}

static void plain_mode_asks_for_the_order_with_an_example_instead_of_a_list(void **state)
{
    (void)state;
    struct table table;
    char line[LINE_BYTES], prompt[LINE_BYTES * 2];
    deal_hand_to_order(
        &table,
        &(struct driver_setup){.lines = {.is_on = true, .is_piped = true, .is_read_aloud = true}});
    struct driver *driver = table.stage.driver;
    write_hand(&table, &table.first, true, ", ", line);
    snprintf(prompt, sizeof(prompt), "The cards from left to right: %s.", line);
    driver_expect_output(driver, prompt);
    write_suits(&table, true, " ", line);
    snprintf(prompt, sizeof(prompt), "such as %s or ", line);
    driver_expect_output(driver, prompt);
    write_suits(&table, false, "", line);
    snprintf(prompt, sizeof(prompt), " or %s.", line);
    driver_expect_output(driver, prompt);
    driver_expect_no_output(driver, "24");
    driver_type(driver, line);
    driver_type(driver, "\r");
    expect_order(&table, "4321");
    driver_type(driver, "order\r");
    expect_order(&table, "1234");
    driver_forget_output(driver);
    stage_make_move(&table.stage, 0, move_set_next(&table.view.legal, 0));
    driver_expect_output(driver, "The cards from left to right: ");
    driver_expect_no_output(driver, "Type the colours");
    stage_clear(&table.stage);
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) && i18n_choose_language("en") ? 0 : -1;
}

TEST_GROUP(table_order)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enter_gives_an_order_that_nobody_has_changed_only_the_second_time),
        cmocka_unit_test(a_key_of_its_own_gives_the_hand_in_the_order_shown),
        cmocka_unit_test(the_keys_that_change_the_order_are_named_also_after_a_wrong_key),
        cmocka_unit_test(what_a_prediction_pays_is_shown_with_an_example_before_anything_is_typed),
        cmocka_unit_test(
            the_own_prediction_and_the_neighbours_tricks_fit_the_headline_of_60_columns),
        cmocka_unit_test(the_picked_suit_moves_and_two_numbers_swap),
        cmocka_unit_test(the_hand_is_drawn_in_the_order_as_it_stands),
        cmocka_unit_test(a_narrow_screen_shows_the_hand_in_one_row),
        cmocka_unit_test(the_cards_that_the_holder_will_see_are_marked_and_named),
        cmocka_unit_test(a_click_on_the_cards_of_two_suits_swaps_them),
        cmocka_unit_test(the_chosen_order_stays_in_sight_while_others_prepare),
        cmocka_unit_test(an_order_can_be_typed_as_letters_or_names_in_each_language),
        cmocka_unit_test(plain_mode_asks_for_the_order_with_an_example_instead_of_a_list),
    };
    return cmocka_run_group_tests_name("table order", tests, set_up_catalogues, NULL);
}
