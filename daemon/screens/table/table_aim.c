#include "daemon/screens/table/choosing.h"

#include "daemon/base/i18n.h"

#define LABEL_BYTES 400

bool aims_read_move(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    return view->game->face->aim != NULL && view->game->face->aim(view, move, out) &&
           out->slots != 0;
}

void aims_collect_pointing_moves(const struct game_view *view, struct aims *out)
{
    out->count = 0;
    out->view = view;
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        if (aims_read_move(view, move, &out->at[out->count])) {
            out->moves[out->count++] = move;
        }
    }
}

uint8_t aims_find_moves_at_cursor(const struct aims *aims, const struct aim_cursor *cursor,
                                  uint8_t indexes[MOVES_MAX])
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < aims->count; i++) {
        if (aims->at[i].seat == cursor->seat && (aims->at[i].slots >> cursor->slot & 1) != 0) {
            indexes[count++] = i;
        }
    }
    return count;
}

/* Returns which cards of a seat can be pointed out by some move, as bits (bit 0: the card in slot
 * 0). */
static uint16_t find_slots_pointed_out(const struct aims *aims, uint8_t seat)
{
    uint16_t slots = 0;
    for (uint8_t i = 0; i < aims->count; i++) {
        slots |= aims->at[i].seat == seat ? aims->at[i].slots : 0;
    }
    return slots;
}

static void place_cursor(struct aim_cursor *cursor, uint8_t seat, uint8_t slot)
{
    *cursor = (struct aim_cursor){.seat = seat, .slot = slot, .is_chosen = cursor->is_chosen};
}

/* Moves the cursor to the next seat in that direction whose cards can be pointed out. If there is
 * none, the cursor stays. */
static void move_cursor_to_next_seat(const struct aims *aims, int direction,
                                     struct aim_cursor *cursor)
{
    for (int i = 1; i < aims->view->seats; i++) {
        uint8_t seat =
            (uint8_t)((cursor->seat + aims->view->seats + direction * i) % aims->view->seats);
        uint16_t slots = find_slots_pointed_out(aims, seat);
        if (slots != 0) {
            place_cursor(cursor, seat, (uint8_t)__builtin_ctz(slots));
            return;
        }
    }
}

void aims_put_cursor_on_valid_card(const struct aims *aims, struct aim_cursor *cursor)
{
    uint8_t here[MOVES_MAX];
    if (aims->count == 0) {
        return;
    }
    if (cursor->seat >= aims->view->seats || cursor->slot >= aims->view->slot_count[cursor->seat]) {
        place_cursor(cursor, aims->at[0].seat, 0);
    }
    uint16_t slots = find_slots_pointed_out(aims, cursor->seat);
    if (slots == 0) {
        move_cursor_to_next_seat(aims, 1, cursor);
    } else if (aims_find_moves_at_cursor(aims, cursor, here) == 0) {
        place_cursor(cursor, cursor->seat, (uint8_t)__builtin_ctz(slots));
    }
}

uint16_t aims_find_highlighted_slots(const struct aims *aims, const struct aim_cursor *cursor,
                                     uint8_t seat)
{
    uint8_t here[MOVES_MAX];
    if (aims->count == 0 || seat != cursor->seat) {
        return 0;
    }
    uint8_t count = aims_find_moves_at_cursor(aims, cursor, here);
    if (count > 0) {
        return aims->at[here[cursor->turn % count]].slots;
    }
    return (uint16_t)(1U << cursor->slot);
}

/* Moves the cursor to the next card of the same hand in that direction. At the end of the hand the
 * cursor stays. */
static void move_cursor_to_next_slot(const struct game_view *view, int direction,
                                     struct aim_cursor *cursor)
{
    int slot = cursor->slot + direction;
    while (slot >= 0 && slot < view->slot_count[cursor->seat] &&
           view->hands[cursor->seat][slot].is_empty) {
        slot += direction;
    }
    if (slot >= 0 && slot < view->slot_count[cursor->seat]) {
        place_cursor(cursor, cursor->seat, (uint8_t)slot);
    }
}

/* Selects a card by its number; the same number again selects the card's next move. */
static void select_slot_by_number(const struct game_view *view, int slot, struct aim_cursor *cursor)
{
    if (slot == cursor->slot && cursor->is_chosen) {
        cursor->turn++;
    } else if (slot < view->slot_count[cursor->seat] && !view->hands[cursor->seat][slot].is_empty) {
        place_cursor(cursor, cursor->seat, (uint8_t)slot);
    }
}

enum choice_result aims_handle_key(const struct aims *aims, struct aim_cursor *cursor,
                                   const struct press *press, uint8_t *move)
{
    uint8_t here[MOVES_MAX];
    *move = MOVE_NONE;
    if (aims->count == 0) {
        return CHOICE_IGNORED;
    }
    uint8_t count = aims_find_moves_at_cursor(aims, cursor, here);
    int slot = press->kind == PRESS_CHAR ? hand_place_of_keyboard_key(press->code) : -1;
    if (press->kind == PRESS_LEFT || press->kind == PRESS_RIGHT) {
        move_cursor_to_next_slot(aims->view, press->kind == PRESS_LEFT ? -1 : 1, cursor);
    } else if (press->kind == PRESS_UP || press->kind == PRESS_DOWN) {
        move_cursor_to_next_seat(aims, press->kind == PRESS_UP ? -1 : 1, cursor);
    } else if (press->kind == PRESS_TAB) {
        cursor->turn++;
    } else if (press->kind == PRESS_ENTER && count > 0) {
        *move = aims->moves[here[cursor->turn % count]];
        return CHOICE_MADE;
    } else if (slot >= 0) {
        select_slot_by_number(aims->view, slot, cursor);
    } else if (press->kind != PRESS_ENTER) {
        return CHOICE_IGNORED;
    }
    cursor->is_chosen = true;
    return CHOICE_TAKEN;
}

/* Writes the numbers of the cards that a move points out: "1, 4". */
static const char *write_slot_numbers(uint16_t slots, struct text *out)
{
    for (int i = 0; i < SLOTS_MAX; i++) {
        if ((slots >> i & 1) != 0) {
            text_format_list_item(out, "%d", i + 1);
        }
    }
    return out->at;
}

/* Writes a clue: "every 3", or "[every 3 (cards 1, 4)]" for the chosen one. */
static void write_clue(const struct aims *aims, uint8_t index, bool is_chosen,
                       const struct words *words, struct text *out)
{
    const struct game_face *face = aims->view->game->face;
    uint8_t move = aims->moves[index];
    uint16_t slots = aims->at[index].slots;
    struct words own = *words;
    own.is_plain = is_chosen;
    text_put_char(out, is_chosen ? '[' : ' ');
    words_write_phrase(&own,
                       face->aim_label != NULL ? face->aim_label(aims->view, move)
                                               : face->label(aims->view, move),
                       out);
    if (is_chosen && face->aim_label != NULL) {
        text_put_char(out, ' ');
        text_format(out,
                    ngettext("(card %s)", "(cards %s)", (unsigned long)__builtin_popcount(slots)),
                    write_slot_numbers(slots, &TEXT_OF(LABEL_BYTES)));
    }
    text_put_char(out, is_chosen ? ']' : ' ');
}

static int measure_clues(const struct aims *aims, const struct aim_cursor *cursor,
                         const uint8_t *indexes, uint8_t count, const struct words *words)
{
    int width = 0;
    for (uint8_t i = 0; i < count; i++) {
        struct text buffer = TEXT_OF(LABEL_BYTES);
        write_clue(aims, indexes[i], i == cursor->turn % count, words, &buffer);
        width += draw_measure_text(buffer.at) + 1;
    }
    return width;
}

void aims_draw(const struct canvas *canvas, const struct area *row, const struct aims *aims,
               const struct aim_cursor *cursor, const struct words *words)
{
    uint8_t here[MOVES_MAX];
    uint8_t count = aims_find_moves_at_cursor(aims, cursor, here);
    int column = row->column;
    int end = row->column + row->width;
    if (count == 0) {
        draw_formatted_text(canvas, row->row, column, row->width, STYLE_DIM,
                            _("card %d: nothing new to say about it"), cursor->slot + 1);
        return;
    }
    if (aims->view->game->face->aim_label != NULL) {
        column += 1 + draw_formatted_text(
                          canvas, row->row, column, end - column, STYLE_STRONG, _("clue for %s:"),
                          words_write_seat(words, cursor->seat, &TEXT_OF(LABEL_BYTES)));
    }
    /* The chosen clue is always shown; others only if there is room for all of them. */
    bool has_all = measure_clues(aims, cursor, here, count, words) <= end - column;
    for (uint8_t i = 0; i < count; i++) {
        struct text buffer = TEXT_OF(LABEL_BYTES);
        bool is_chosen = i == cursor->turn % count;
        if (!is_chosen && !has_all) {
            continue;
        }
        write_clue(aims, here[i], is_chosen, words, &buffer);
        column += draw_text(canvas, row->row, column, end - column,
                            is_chosen ? STYLE_SELECTED : STYLE_PLAIN, buffer.at) +
                  1;
    }
    const char *hint = _("Tab: another clue");
    if (count > 1 && column + 1 + draw_measure_text(hint) <= end) {
        draw_text(canvas, row->row, column + 1, end - column - 1, STYLE_DIM, hint);
    }
}
