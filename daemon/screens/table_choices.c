#include "daemon/screens/table_choices.h"

#include <string.h>

#define LETTERS "adefgimnopuvxyz " /* what no key of the table's screen uses; then none */

/* The number that is a move's whole label; -1 when the label is something else. */
static int label_number(const struct game_view *view, uint8_t move)
{
    struct phrase label = view->game->face->label(view, move);
    bool is_number = label.format != NULL && strcmp(label.format, "{0}") == 0 &&
                     label.args[0].type == ARG_NUMBER && label.args[0].number >= 0;
    return is_number ? label.args[0].number : -1;
}

char choices_letter(int index)
{
    return LETTERS[index < (int)sizeof(LETTERS) - 2 ? index : (int)sizeof(LETTERS) - 2];
}

static void pointed_moves(const struct game_view *view, struct move_set *pointed)
{
    *pointed = move_set_empty();
    if (view->seat == SPECTATOR) {
        return;
    }
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        uint8_t move =
            view->hands[view->seat][i].is_empty ? MOVE_NONE : view->game->face->point(view, i);
        if (move < MOVES_MAX) {
            move_set_add(pointed, move);
        }
    }
}

static void choices_add(struct choices *out, uint8_t move, int number)
{
    if (out->count < CHOICES_MAX) {
        out->moves[out->count] = move;
        out->numbers[out->count] = (int16_t)number;
        out->count++;
    }
}

/* All from the lowest to the highest number that neighbours a legal one without a gap, but none
 * beyond the size of the hand: the ones that a rule forbids just now stand between or beside. */
static void choices_make_numbers(const struct game_view *view, struct choices *out)
{
    int limit = view->slot_count[view->seat];
    int first = out->moves[0];
    int last = out->moves[out->count - 1];
    while (first > 0 && label_number(view, (uint8_t)(first - 1)) >= 0 &&
           label_number(view, (uint8_t)(first - 1)) == label_number(view, (uint8_t)first) - 1) {
        first--;
    }
    while (last + 1 < MOVES_MAX && label_number(view, (uint8_t)(last + 1)) <= limit &&
           label_number(view, (uint8_t)(last + 1)) == label_number(view, (uint8_t)last) + 1) {
        last++;
    }
    out->count = 0;
    for (int move = first; move <= last; move++) {
        int number = label_number(view, (uint8_t)move);
        if (number >= 0) {
            choices_add(out, (uint8_t)move, number);
        }
    }
}

void choices_make(const struct game_view *view, struct choices *out)
{
    struct move_set pointed;
    pointed_moves(view, &pointed);
    memset(out, 0, sizeof(*out));
    bool are_numbers = true;
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        if (move_set_has(&pointed, move)) {
            continue;
        }
        choices_add(out, move, out->count + 1);
        are_numbers &= label_number(view, move) >= 0;
    }
    out->has_pointing = move_set_count(&pointed) > 0 && view_is_to_act(view);
    if (out->has_pointing) {
        out->keys = CHOICE_LETTERS;
    } else if (are_numbers && out->count > 0) {
        out->keys = CHOICE_NUMBERS;
        choices_make_numbers(view, out);
    } else {
        out->keys = CHOICE_INDEX;
    }
}

static enum choice_result choices_make_move(const struct choices *choices,
                                            struct choice_cursor *cursor, int index, uint8_t *move)
{
    cursor->selected = index;
    cursor->typed = -1;
    *move = choices->moves[index];
    return CHOICE_MADE;
}

/* True when `number` written out begins with the digits of `typed` and goes on. */
static bool number_continues(int number, int typed)
{
    while (number > typed) {
        number /= 10;
        if (number == typed) {
            return typed > 0;
        }
    }
    return false;
}

static enum choice_result choices_type(const struct choices *choices, struct choice_cursor *cursor,
                                       int digit, uint8_t *move)
{
    int before = cursor->typed;
    for (int attempt = 0; attempt < 2; attempt++) {
        int typed = before > 0 && attempt == 0 ? before * 10 + digit : digit;
        int found = -1;
        bool goes_on = false;
        for (int i = 0; i < choices->count; i++) {
            found = choices->numbers[i] == typed ? i : found;
            goes_on |= number_continues(choices->numbers[i], typed);
        }
        if (found >= 0 && !goes_on) {
            return choices_make_move(choices, cursor, found, move);
        }
        if (found >= 0 || goes_on) {
            cursor->typed = typed;
            cursor->selected = found;
            return CHOICE_TAKEN;
        }
        /* Not the continuation of what was typed before: a new number. */
    }
    cursor->typed = -1;
    return CHOICE_TAKEN;
}

static enum choice_result choices_type_letter(const struct choices *choices,
                                              struct choice_cursor *cursor, uint32_t code,
                                              uint8_t *move)
{
    const char *found = code > 0 && code < 128 ? strchr(LETTERS, (int)code) : NULL;
    if (found == NULL || *found == ' ' || found - LETTERS >= choices->count) {
        return CHOICE_IGNORED;
    }
    return choices_make_move(choices, cursor, (int)(found - LETTERS), move);
}

static enum choice_result choices_step(const struct choices *choices, struct choice_cursor *cursor,
                                       int by)
{
    int at = cursor->selected < 0 ? (by > 0 ? 0 : choices->count - 1) : cursor->selected + by;
    cursor->typed = -1;
    if (at >= 0 && at < choices->count) {
        cursor->selected = at;
    }
    return CHOICE_TAKEN;
}

/* Arrows belong to the choices unless the hand can be pointed at: then up and down alone, and up
 * from the first choice goes back to the hand. */
static enum choice_result choices_arrow(const struct choices *choices, struct choice_cursor *cursor,
                                        enum press_kind kind)
{
    bool is_line = choices->keys == CHOICE_NUMBERS || choices->has_pointing;
    int down = is_line || cursor->across < 1 ? 1 : cursor->across;
    if ((kind == PRESS_LEFT || kind == PRESS_RIGHT) && !choices->has_pointing) {
        return choices_step(choices, cursor, kind == PRESS_LEFT ? -1 : 1);
    }
    if (kind == PRESS_UP && choices->has_pointing && cursor->selected <= 0) {
        cursor->selected = -1;
        return CHOICE_TAKEN;
    }
    if (kind == PRESS_UP || kind == PRESS_DOWN) {
        return choices_step(choices, cursor, kind == PRESS_UP ? -down : down);
    }
    if (kind == PRESS_HOME || kind == PRESS_END) {
        cursor->selected = kind == PRESS_HOME ? 0 : choices->count - 1;
        return CHOICE_TAKEN;
    }
    return CHOICE_IGNORED;
}

enum choice_result choices_key(const struct choices *choices, struct choice_cursor *cursor,
                               const struct press *press, uint8_t *move)
{
    if (choices->count == 0) {
        return CHOICE_IGNORED;
    }
    if (press->kind == PRESS_ENTER && cursor->selected >= 0 && cursor->selected < choices->count) {
        return choices_make_move(choices, cursor, cursor->selected, move);
    }
    if (press->kind == PRESS_CHAR && choices->keys == CHOICE_LETTERS) {
        return choices_type_letter(choices, cursor, press->code, move);
    }
    if (press->kind == PRESS_CHAR && press->code >= '0' && press->code <= '9') {
        return choices_type(choices, cursor, (int)(press->code - '0'), move);
    }
    if (press->kind == PRESS_BACKSPACE && cursor->typed >= 0) {
        cursor->typed = -1;
        cursor->selected = -1;
        return CHOICE_TAKEN;
    }
    return choices_arrow(choices, cursor, press->kind);
}
