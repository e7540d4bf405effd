#include "daemon/screens/table/table.h"
#include "tests/unit.h"

#include <stdio.h>

static bool area_is_within(const struct area *inner, const struct area *outer)
{
    return inner->height <= 0 || inner->width <= 0 ||
           (inner->row >= outer->row && inner->column >= outer->column &&
            inner->row + inner->height <= outer->row + outer->height &&
            inner->column + inner->width <= outer->column + outer->width);
}

static bool areas_overlap(const struct area *a, const struct area *b)
{
    return a->height > 0 && b->height > 0 && a->width > 0 && b->width > 0 &&
           a->row < b->row + b->height && b->row < a->row + a->height &&
           a->column < b->column + b->width && b->column < a->column + a->width;
}

/* Lists all areas that are painted separately, and so may not overlap. */
static int collect_areas(const struct table_layout *layout, uint8_t seat_count, struct area out[32])
{
    int count = 0;
    out[count++] = layout->header;
    out[count++] = layout->prompt;
    out[count++] = layout->hand;
    out[count++] = layout->status;
    out[count++] = layout->chat;
    out[count++] = layout->side;
    for (uint8_t place = 0; place < seat_count; place++) {
        out[count++] = layout->seats[place];
        if (!layout->is_list) {
            out[count++] = (struct area){layout->cards[place].row, layout->cards[place].column,
                                         layout->card_rows, layout->card_width};
        }
    }
    if (!layout->is_list) {
        out[count++] = layout->centre;
    }
    return count;
}

static void assert_layout_areas_fit(const struct area *body, const struct table_layout_needs *needs)
{
    struct table_layout layout;
    struct area areas[32];
    table_layout_make(body, needs, &layout);
    int count = collect_areas(&layout, needs->seats, areas);
    for (int i = 0; i < count; i++) {
        bool is_good = area_is_within(&areas[i], body);
        for (int j = 0; j < i; j++) {
            is_good = is_good && !areas_overlap(&areas[i], &areas[j]);
        }
        if (!is_good) {
            fail_msg("%dx%d, %u seats, card %d, open %d: area %d", body->width, body->height,
                     needs->seats, needs->card_width, needs->has_open_hands, i);
        }
    }
}

static void nothing_overlaps_or_leaves_the_screen_at_any_size(void **unused)
{
    (void)unused;
    for (int width = 60; width <= 240; width += width < 130 ? 1 : 11) {
        for (int height = 15; height <= 80; height += height < 45 ? 1 : 7) {
            for (uint8_t seats = 2; seats <= 7; seats++) {
                /* With 6 and 7 players, seats with open hands of named cards use the same columns
                 * in different rows (is_tight). */
                for (unsigned bits = 0; bits < (seats <= 5 ? 32 : 16); bits++) {
                    struct area body = {0, 0, height, width};
                    struct table_layout_needs needs = {
                        .seats = seats,
                        .has_hand = (bits & 1) != 0,
                        .hand_rows = (bits & 2) != 0 ? 6 : 4,
                        .hand_rows_small = 2,
                        .prompt_rows = (bits & 2) != 0 ? 2 : 1,
                        .card_width = (bits & 4) != 0 ? 10 : 6,
                        .has_open_hands = (bits & 8) != 0,
                        .card_width_named = {(bits & 16) != 0 ? 14 : 0, (bits & 16) != 0 ? 12 : 0},
                        .open_hand_width = (bits & 24) == 24 ? 20 : 0,
                        .open_hand_rows = (bits & 24) == 24 ? 5 : 0,
                        .has_chat = true,
                    };
                    assert_layout_areas_fit(&body, &needs);
                }
            }
        }
    }
}

static void the_left_neighbour_sits_to_the_left_and_the_right_one_to_the_right(void **unused)
{
    (void)unused;
    struct area body = {0, 0, 21, 80};
    for (uint8_t seats = 3; seats <= 7; seats++) {
        struct table_layout layout;
        struct table_layout_needs needs = {
            .seats = seats, .has_hand = true, .hand_rows = 4, .prompt_rows = 1, .card_width = 6};
        table_layout_make(&body, &needs, &layout);
        assert_false(layout.is_list);
        assert_true(layout.cards[1].column < layout.cards[0].column);
        assert_true(layout.cards[seats - 1].column > layout.cards[0].column);
        assert_true(layout.cards[0].row >= layout.cards[1].row);
        for (uint8_t place = 2; place < seats; place++) {
            /* In clockwise order no seat is further left than the one before. */
            assert_true(layout.cards[place].column >= layout.cards[place - 1].column);
        }
    }
}

static void a_wide_screen_has_chat_and_scores_beside_the_table(void **unused)
{
    (void)unused;
    struct table_layout layout;
    struct area wide = {0, 0, 37, 120};
    struct area narrow = {0, 0, 21, 80};
    struct table_layout_needs needs = {.seats = 4,
                                       .has_hand = true,
                                       .hand_rows = 4,
                                       .prompt_rows = 1,
                                       .card_width = 6,
                                       .has_chat = true};
    table_layout_make(&wide, &needs, &layout);
    assert_true(layout.side.width >= 40);
    assert_int_equal(layout.chat.height, 0);
    assert_int_equal(layout.card_rows, 5);
    table_layout_make(&narrow, &needs, &layout);
    assert_int_equal(layout.side.width, 0);
    assert_true(layout.chat.height >= 3);
}

static void a_list_of_players_gives_open_hands_a_row_of_their_own_if_there_is_room(void **unused)
{
    (void)unused;
    struct table_layout layout;
    struct area body = {0, 0, 15, 60};
    struct table_layout_needs needs = {.seats = 4,
                                       .has_hand = true,
                                       .hand_rows = 4,
                                       .hand_rows_small = 2,
                                       .prompt_rows = 1,
                                       .card_width = 6,
                                       .has_open_hands = true,
                                       .has_chat = true};
    table_layout_make(&body, &needs, &layout);
    assert_true(layout.is_list);
    assert_int_equal(layout.seats[0].height, 1);
    assert_int_equal(layout.seats[3].height, 2);
    assert_true(layout.centre.height >= 1 && layout.chat.height >= 2);
    needs.seats = 7;
    table_layout_make(&body, &needs, &layout);
    assert_int_equal(layout.seats[3].height, 1);
}

TEST_GROUP(table_layout)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_overlaps_or_leaves_the_screen_at_any_size),
        cmocka_unit_test(the_left_neighbour_sits_to_the_left_and_the_right_one_to_the_right),
        cmocka_unit_test(a_list_of_players_gives_open_hands_a_row_of_their_own_if_there_is_room),
        cmocka_unit_test(a_wide_screen_has_chat_and_scores_beside_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
