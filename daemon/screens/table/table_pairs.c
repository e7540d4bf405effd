#include "daemon/screens/table/choosing.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <string.h>

#define LINE_BYTES 400

static bool is_single_number(const struct choices *choices, int index)
{
    return strchr(choices->typed[index], ',') == NULL;
}

/* Returns the choice that the text names, -1 if there is none. *goes_on becomes true if a longer
 * text that begins with it names a choice. */
static int find_choice(const struct choices *choices, const char *typed, bool *goes_on)
{
    int found = -1;
    *goes_on = false;
    for (int i = 0; i < choices->count; i++) {
        enum key_match match = choices_match_key(choices->typed[i], typed);
        found = match == KEY_WHOLE ? i : found;
        *goes_on |= match == KEY_BEGUN;
    }
    return found;
}

/* Takes the text as what was typed if it names a choice or can be continued to one. */
static bool accept_text(const struct choices *choices, struct choice_cursor *cursor,
                        const char *text)
{
    bool goes_on;
    int found = find_choice(choices, text, &goes_on);
    if (found < 0 && !goes_on) {
        return false;
    }
    struct text typed = text_init(cursor->typed, CHOICE_KEY_MAX);
    text_put(&typed, text);
    cursor->selected = found;
    return true;
}

/* Appends a typed character. A digit that does not continue a number begins the second number, or a
 * new choice if there are two numbers already. */
static void add_typed_character(const struct choices *choices, struct choice_cursor *cursor,
                                char character)
{
    struct text longer = TEXT_OF(2 * CHOICE_KEY_MAX), second = TEXT_OF(2 * CHOICE_KEY_MAX);
    const char alone[] = {character, '\0'};
    text_format(&longer, "%s%c", cursor->typed, character);
    text_format(&second, "%s,%c", cursor->typed, character);
    if (!accept_text(choices, cursor, longer.at) && !accept_text(choices, cursor, second.at) &&
        character != ',') {
        (void)accept_text(choices, cursor, alone);
    }
}

static void remove_last_character(const struct choices *choices, struct choice_cursor *cursor)
{
    size_t len = strlen(cursor->typed);
    bool goes_on;
    cursor->typed[len > 0 ? len - 1 : 0] = '\0';
    cursor->selected =
        cursor->typed[0] == '\0' ? -1 : find_choice(choices, cursor->typed, &goes_on);
}

/* Reads the number at the beginning of the text, 0 if there is none. */
static int read_number(const char *text)
{
    int number = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        number = 10 * number + *text - '0';
    }
    return number;
}

/* Changes the last number to the next one, in that direction, that makes a whole choice. */
static void step_last_number(const struct choices *choices, struct choice_cursor *cursor, int step)
{
    const char *from = cursor->typed[0] == '\0' && cursor->selected >= 0
                           ? choices->typed[cursor->selected]
                           : cursor->typed;
    const char *comma = strchr(from, ',');
    const char *last = comma != NULL ? comma + 1 : from;
    int number = *last != '\0' ? read_number(last) + step : 0;
    for (int tries = 0; tries < choices->count && number >= 0; tries++, number += step) {
        struct text text = TEXT_OF(4 * CHOICE_KEY_MAX);
        bool goes_on;
        text_format(&text, "%.*s%d", (int)(last - from), from, number);
        if (find_choice(choices, text.at, &goes_on) >= 0) {
            (void)accept_text(choices, cursor, text.at);
            return;
        }
    }
}

/* Adds the clicked number as the first or the second one, or begins anew with it. */
static bool add_clicked_number(const struct choices *choices, struct choice_cursor *cursor,
                               const struct press *press)
{
    for (int i = 0; i < choices->count; i++) {
        const struct choice_spot *spot = &cursor->spots[i];
        if (spot->move != choices->moves[i] || press->row != spot->row ||
            press->column < spot->column || press->column >= spot->column + spot->width) {
            continue;
        }
        struct text text = TEXT_OF(3 * CHOICE_KEY_MAX);
        text_format(&text, "%.*s,%s", (int)strcspn(cursor->typed, ","), cursor->typed,
                    choices->typed[i]);
        bool is_second = strchr(cursor->typed, ',') == NULL || cursor->selected < 0;
        if (cursor->typed[0] == '\0' || !is_second || !accept_text(choices, cursor, text.at)) {
            (void)accept_text(choices, cursor, choices->typed[i]);
        }
        return true;
    }
    return false;
}

enum choice_result pairs_handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                    const struct press *press, uint8_t *move)
{
    bool is_digit = press->code >= '0' && press->code <= '9';
    if (press->kind == PRESS_ENTER && cursor->selected >= 0 && cursor->selected < choices->count) {
        *move = choices->moves[cursor->selected];
        return CHOICE_MADE;
    }
    if (press->kind == PRESS_CHAR && (is_digit || press->code == ',')) {
        add_typed_character(choices, cursor, (char)press->code);
        return CHOICE_TAKEN;
    }
    if (press->kind == PRESS_BACKSPACE && cursor->typed[0] != '\0') {
        remove_last_character(choices, cursor);
        return CHOICE_TAKEN;
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_RIGHT) {
        step_last_number(choices, cursor, press->kind == PRESS_LEFT ? -1 : 1);
        return CHOICE_TAKEN;
    }
    if (press->kind == PRESS_CLICK && add_clicked_number(choices, cursor, press)) {
        return CHOICE_TAKEN;
    }
    return CHOICE_IGNORED;
}

/* True if the number is the typed one, or one of the two typed ones. */
static bool is_number_typed(const struct choice_cursor *cursor, const char *number)
{
    size_t len = strcspn(cursor->typed, ",");
    const char *second = cursor->typed + len + (cursor->typed[len] == ',');
    return (strlen(number) == len && strncmp(number, cursor->typed, len) == 0) ||
           strcmp(number, second) == 0;
}

/* Draws the numbers; the typed ones stand in angle brackets, so that they can be recognised without
 * colours too. */
static void draw_numbers(const struct canvas *canvas, const struct area *row,
                         const struct choices *choices, struct choice_cursor *cursor)
{
    int at = 0;
    memset(cursor->spots, 0, sizeof(cursor->spots));
    for (int i = 0; i < choices->count; i++) {
        if (!is_single_number(choices, i)) {
            continue;
        }
        bool is_typed = is_number_typed(cursor, choices->typed[i]);
        struct text text = TEXT_OF(2 * CHOICE_KEY_MAX);
        text_format(&text, is_typed ? "<%s>" : "[%s]", choices->typed[i]);
        int width = draw_text(canvas, row->row, row->column + at, row->width - at,
                              is_typed ? STYLE_SELECTED : STYLE_CARD, text.at);
        cursor->spots[i] = (struct choice_spot){.move = choices->moves[i],
                                                .row = (int16_t)row->row,
                                                .column = (int16_t)(row->column + at),
                                                .width = (int16_t)width};
        at += width + 1;
    }
}

/* Writes what was typed and what Enter does: "3,4_  Enter predicts 3 or 4: …". */
static void write_typed_choice(const struct choices *choices, const struct choice_cursor *cursor,
                               const struct game_view *view, const struct words *words,
                               struct text *out)
{
    enum face_enter enter = !cursor->is_suggested ? FACE_ENTER_ONCE
                            : cursor->is_named    ? FACE_ENTER_AGAIN
                                                  : FACE_ENTER_TWICE;
    bool is_begun = cursor->typed[0] != '\0' && cursor->selected < 0;
    text_format(out, "%s_  ", cursor->typed);
    if (is_begun) {
        text_put(out, _("Type the second number"));
    } else if (view->game->face->confirm != NULL) {
        uint8_t move = cursor->selected < 0 ? MOVE_NONE : choices->moves[cursor->selected];
        words_write_phrase(words, view->game->face->confirm(view, move, enter), out);
    }
}

int pairs_draw_rows(const struct canvas *canvas, const struct area *area,
                    const struct choices *choices, struct choice_cursor *cursor,
                    const struct game_view *view, const struct words *words)
{
    if (canvas == NULL) {
        return 2;
    }
    struct text typed = TEXT_OF(LINE_BYTES);
    draw_numbers(canvas, area, choices, cursor);
    write_typed_choice(choices, cursor, view, words, &typed);
    if (area->height > 1) {
        draw_text(canvas, area->row + 1, area->column, area->width, STYLE_KEY, typed.at);
    }
    return 2;
}
