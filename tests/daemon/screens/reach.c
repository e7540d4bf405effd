#include "reach.h"

#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define DOWN "\x1b[B"
#define LABEL_BYTES 200

/* Presses the key of the card that the move plays; false if the move plays no card. */
static bool press_key_of_card(struct stage *stage, const struct game_view *view, uint8_t move)
{
    uint8_t slots[SLOTS_MAX];
    bool keeps_slots = false;
    uint8_t count = hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
    for (int place = 0; place < count; place++) {
        if (!view->hands[view->seat][slots[place]].is_empty &&
            view->game->face->point(view, slots[place]) == move) {
            driver_type(stage->driver, (char[]){hand_keyboard_key_of_place(place), '\0'});
            return true;
        }
    }
    return false;
}

/* With keys, selects a player and a card, then the clue about this card that the move gives.
 * Returns false if the move is no clue. */
static bool choose_clue_with_keys(struct stage *stage, const struct game_view *view, uint8_t move)
{
    struct face_aim aim;
    struct aims aims;
    aims_collect_pointing_moves(view, &aims);
    if (aims.count == 0 || !view->game->face->aim(view, move, &aim)) {
        return false;
    }
    /* A copy of the session's cursor, at the position that every new view gives it. */
    struct aim_cursor cursor = {.seat = UINT8_MAX};
    driver_type(stage->driver, "\x1b");
    aims_put_cursor_on_valid_card(&aims, &cursor);
    for (int i = 0; i < SEATS_MAX && cursor.seat != aim.seat; i++) {
        uint8_t unused;
        const struct press down = {.kind = PRESS_DOWN};
        driver_type(stage->driver, DOWN);
        assert_true(aims_handle_key(&aims, &cursor, &down, &unused));
    }
    uint8_t slot = (uint8_t)__builtin_ctz(aim.slots);
    if (cursor.slot != slot) {
        driver_type(stage->driver, (char[]){hand_keyboard_key_of_place(slot), '\0'});
    }
    for (uint8_t i = 0; i < aims.count && aims.moves[i] != move; i++) {
        if (aims.at[i].seat == aim.seat && (aims.at[i].slots >> slot & 1) != 0) {
            driver_type(stage->driver, "\t");
        }
    }
    driver_type(stage->driver, "\r");
    if (driver_find_request(stage->driver, "move") == NULL) {
        driver_type(stage->driver, "\r"); /* no key has chosen the clue under the cursor */
    }
    return true;
}

/* Puts the suits of the hand in order by swapping them, two at a time. Returns false if the move is
 * no order of suits. */
static bool order_suits_with_keys(struct stage *stage, const struct game_view *view, uint8_t move)
{
    const struct order_cursor cursor = order_make_empty_cursor();
    struct face_order wanted, shown;
    if (!order_is_asked(view) || !view->game->face->order(view, move, &wanted) ||
        !order_find_shown(view, &cursor, &shown)) {
        return false;
    }
    driver_type(stage->driver, "\x1b\x1b"); /* back to the first order */
    for (int i = 0; i < wanted.suit_count; i++) {
        int from = i;
        while (shown.suits[from] != wanted.suits[i]) {
            from++;
        }
        shown.suits[from] = shown.suits[i];
        shown.suits[i] = wanted.suits[i];
        driver_type(stage->driver, (char[]){(char)('1' + i), (char)('1' + from), '\0'});
    }
    driver_type(stage->driver, "\r");
    return true;
}

/* Types the number or letter of the move's choice; false if the move is not among the choices. */
static bool type_number_or_letter_of_choice(struct stage *stage, const struct game_view *view,
                                            uint8_t move)
{
    struct choices choices;
    choices_collect(view, &choices);
    for (int i = 0; i < choices.count; i++) {
        if (choices.moves[i] == move) {
            driver_type(stage->driver, choices.typed[i]);
            for (int enter = 0; enter < 2 && driver_find_request(stage->driver, "move") == NULL;
                 enter++) {
                driver_type(stage->driver, "\r"); /* a letter needs two */
            }
            return true;
        }
    }
    return false;
}

void reach_make_move_with_keys(struct stage *stage, uint8_t move)
{
    struct game_view view;
    char written[MOVE_TEXT_MAX];
    struct text text = text_init(written, sizeof(written));
    stage_write_view(stage, &view);
    game_move_write(stage->game, move, &text);
    assert_true(move_set_has(&view.legal, move));
    bool is_pressed = press_key_of_card(stage, &view, move) ||
                      choose_clue_with_keys(stage, &view, move) ||
                      order_suits_with_keys(stage, &view, move) ||
                      type_number_or_letter_of_choice(stage, &view, move);
    const json_t *sent = driver_find_request(stage->driver, "move");
    if (!is_pressed || sent == NULL) {
        driver_print_screen(stage->driver, "no key makes the move");
        fail_msg("%s", written);
    }
    assert_string_equal(json_string_value(json_object_get(sent, "move")), written);
}

void reach_request_every_move_with_keys(struct stage *stage)
{
    struct game_view view;
    stage_write_view(stage, &view);
    for (uint8_t move = move_set_next(&view.legal, 0); move != MOVE_NONE;
         move = move_set_next(&view.legal, move + 1U)) {
        reach_make_move_with_keys(stage, move);
        driver_refuse(stage->driver, "move", "later", "Not yet.");
    }
}
