#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>

/* Draws the bottom rows of every screen: the horizontal line with its notice, the input line, and
 * the row of key hints. */

#define NOTICE_ROWS_MAX 6
#define ANSWER_MIN 20 /* columns kept free for the answer after a long question */

/* Returns how many rows above the horizontal line a notice may cover. */
static int count_rows_for_notice(struct ui *ui)
{
    const struct ui_layer *layer = ui_top_layer(ui);
    int free_rows = NOTICE_ROWS_MAX - 1;
    if (layer->screen->count_free_rows != NULL) {
        int rows = layer->screen->count_free_rows(layer->state);
        free_rows = rows < free_rows ? rows : free_rows;
    }
    return free_rows;
}

/* Draws the notice on the horizontal line above the input line. A long notice also covers rows
 * above that line, but none that the screen needs, and the input line while nobody types there. */
static void draw_notice(struct ui *ui, const struct canvas *canvas, int row, const char *text,
                        enum style style)
{
    bool is_framed = ui_top_layer(ui)->screen->is_framed;
    int width = canvas->body.width - UI_NOTICE_MARGIN;
    struct area area = {row, 3, 1, width};
    int rows = draw_wrapped_text(NULL, &area, style, text, 0, 0);
    int most = 1 + count_rows_for_notice(ui);
    if (rows > most) {
        rows = most;
        bool has_line = !ui->is_typing && !ui->question.is_open;
        area.height = most + (has_line ? 1 : 0);
    } else {
        area.height = rows;
        int last = draw_measure_last_wrapped_row(text, width);
        draw_text(canvas, row, 2, 1, STYLE_PLAIN, " ");
        draw_text(canvas, row, 3 + last, 1, STYLE_PLAIN, " ");
    }
    area.row = row - rows + 1;
    bool covers_line = area.height > rows; /* then the text goes on below the horizontal line */
    int covered = covers_line ? area.height : rows - 1;
    draw_filled_area(
        canvas, &(struct area){area.row, is_framed, covered, canvas->body.width - 2 * is_framed},
        STYLE_PLAIN);
    draw_wrapped_text(canvas, &area, style, text, 0, 0);
}

static void draw_line_with_notice(struct ui *ui, const struct canvas *canvas, int row)
{
    bool is_framed = ui_top_layer(ui)->screen->is_framed;
    int width = canvas->body.width;
    draw_horizontal_line(canvas, row, 0, width, GLYPH_HORIZONTAL);
    if (is_framed) {
        draw_glyph(canvas, row, 0, STYLE_BORDER, GLYPH_BOTTOM_LEFT);
        draw_glyph(canvas, row, width - 1, STYLE_BORDER, GLYPH_BOTTOM_RIGHT);
    }
    const char *text = NULL;
    enum style style = STYLE_PLAIN;
    if (ui->notice_end_ms > ui->now_ms) {
        text = ui->notice;
        style = ui->notice_style;
    } else if (ui_away_notice_at_ms(ui) <= ui->now_ms) {
        text = ui_away_text();
        style = STYLE_NOTICE;
    } else if (ui_get_oldest_request_sent_at_ms(ui) <= ui->now_ms - UI_LATE_MS) {
        text = _("One moment…");
        style = STYLE_NOTICE;
    }
    if (text != NULL) {
        draw_notice(ui, canvas, row, text, style);
    }
}

/* Writes the typed text, or one dot for each character of a password. */
static void write_visible_input(const struct ui *ui, struct text *out)
{
    if (!ui->question.is_open || ui->question.kind != ASK_SECRET) {
        text_put(out, ui->input.text);
        return;
    }
    for (size_t i = 0; i < ui->input.len; i++) {
        if (((unsigned char)ui->input.text[i] & 0xC0) != 0x80) {
            text_put(out, theme_glyph_text(&ui->theme, GLYPH_SECRET));
        }
    }
}

/* Returns the part of a text that begins at `column`. */
static const char *skip_to_column(const char *text, int column)
{
    while (column > 0 && *text != '\0') {
        size_t len = 1;
        while (((unsigned char)text[len] & 0xC0) == 0x80) {
            len++;
        }
        char character[8] = "";
        memcpy(character, text, len < sizeof character ? len : 0);
        column -= draw_measure_text(character);
        text += len;
    }
    return text;
}

/* Returns how many columns of the input line a question may take. */
static int measure_room_for_question(const struct ui *ui, const struct canvas *canvas)
{
    bool is_by_key = ui_question_is_yes_or_no(ui) || ui->question.kind == ASK_KEYS;
    return canvas->body.width - 4 - (is_by_key ? 0 : ANSWER_MIN);
}

static bool has_long_question(const struct ui *ui, const struct canvas *canvas)
{
    return ui->question.is_open &&
           draw_measure_text(ui->question.text) > measure_room_for_question(ui, canvas);
}

/* Draws a question that does not fit the input line above it, whole: whoever answers must have read
 * it. It covers the horizontal line and as many rows of the screen as it needs. */
static void draw_long_question(const struct ui *ui, const struct canvas *canvas, int row)
{
    struct area area = {row, 1, 1, canvas->body.width - 2};
    area.height = draw_wrapped_text(NULL, &area, STYLE_STRONG, ui->question.text, 0, 0);
    area.row = row - area.height + 1;
    draw_filled_area(canvas, &(struct area){area.row, 0, area.height, canvas->body.width},
                     STYLE_PLAIN);
    draw_horizontal_line(canvas, area.row - 1, 0, canvas->body.width, GLYPH_HORIZONTAL);
    draw_wrapped_text(canvas, &area, STYLE_STRONG, ui->question.text, 0, 0);
}

static void draw_input_line(struct ui *ui, const struct canvas *canvas, int row, int *cursor_column)
{
    struct text out = TEXT_OF((size_t)3 * INPUT_MAX);
    write_visible_input(ui, &out);
    bool is_active = ui->is_typing || ui->question.is_open;
    int column = 3, width = canvas->body.width - 4;
    if (ui->question.is_open && !has_long_question(ui, canvas)) {
        column = 2 + draw_text(canvas, row, 1, measure_room_for_question(ui, canvas), STYLE_STRONG,
                               ui->question.text);
        width = canvas->body.width - 1 - column;
    } else {
        draw_text(canvas, row, 1, 1, is_active ? STYLE_KEY : STYLE_DIM, ">");
    }
    *cursor_column = column;
    if (!is_active) {
        draw_text(canvas, row, column, width, STYLE_SYSTEM,
                  ui->model->you.name[0] != '\0' ? _("c to talk, / for a command") : "");
        return;
    }
    /* A line longer than the window scrolls to keep the cursor visible. */
    int at = input_get_cursor_column(&ui->input);
    int slide = at > width - 1 ? at - (width - 1) : 0;
    draw_text(canvas, row, column, width, STYLE_PLAIN, skip_to_column(out.at, slide));
    *cursor_column = column + at - slide;
}

static void add_hints_while_typing(const struct ui *ui, struct hints *hints)
{
    if (ui_question_is_yes_or_no(ui)) {
        hints_add(hints, "y", _("yes"));
        hints_add(hints, "n", _("no"));
        return;
    }
    if (ui->question.is_open && ui->question.kind == ASK_KEYS) {
        for (const struct ask_key *key = ui->question.keys; key->key != NULL; key++) {
            hints_add(hints, key->key, _(key->label));
        }
        hints_add(hints, "Esc", _("stay"));
        return;
    }
    if (ui->question.is_open) {
        hints_add(hints, "Enter", _("go on"));
        hints_add(hints, "Esc", _("back"));
        if (ui->model->you.name[0] == '\0') {
            hints_add(hints, "Ctrl-C", _("leave"));
        }
        return;
    }
    bool is_command = ui->input.text[0] == '/';
    hints_add(hints, "Enter", is_command ? _("do it") : _("say it"));
    hints_add(hints, "Tab", _("complete"));
    hints_add(hints, "↑", _("earlier lines"));
    hints_add(hints, "Esc", _("empty the line"));
}

static void collect_top_screen_hints(struct ui *ui, struct hints *hints)
{
    struct ui_layer *layer = ui_top_layer(ui);
    const struct screen *screen = layer->screen;
    bool takes_talk = screen->takes_talk != NULL && screen->takes_talk(ui, layer->state);
    if (screen->hints != NULL) {
        screen->hints(ui, layer->state, hints);
    }
    for (const struct screen_key *key = screen->keys; key != NULL && key->keys != NULL; key++) {
        if (key->hint != NULL && !takes_talk) {
            hints_add(hints, key->keys, _(key->hint));
        }
    }
    if (!screen->has_own_exit && !takes_talk) {
        hints_add(hints, "?", _("help"));
        hints_add(hints, "q", ui->depth > 1 ? _("back") : _("quit"));
    }
}

static const char *get_hint_key(const struct ui *ui, const struct hints *hints, int index)
{
    return hints_translate_key_names(hints->at[index].key, ui->theme.is_ascii);
}

static int measure_hint_width(const struct ui *ui, const struct hints *hints, int index)
{
    return draw_measure_text(get_hint_key(ui, hints, index)) + 1 +
           draw_measure_text(hints->at[index].label) + 2;
}

/* Draws a hint, its key and its label. */
static void draw_hint(struct ui *ui, const struct canvas *canvas, const struct hints *hints,
                      int index, int row, int column)
{
    int width = measure_hint_width(ui, hints, index);
    int key = draw_text(canvas, row, column, width, STYLE_KEY, get_hint_key(ui, hints, index));
    draw_text(canvas, row, column + key + 1, width, STYLE_PLAIN, hints->at[index].label);
}

/* Lists the hints that fit a row of that width, in their order; the last two always do. Returns how
 * many. */
static int choose_fitting_hints(const struct ui *ui, const struct hints *hints, int width,
                                int fitting[HINTS_MAX])
{
    int count = 0, left = width;
    int kept = hints->count > 2 ? hints->count - 2 : 0;
    for (int i = kept; i < hints->count; i++) {
        left -= measure_hint_width(ui, hints, i);
    }
    for (int i = 0; i < hints->count; i++) {
        int needed = i < kept ? measure_hint_width(ui, hints, i) : 0;
        if (left - needed < -2 && i < kept) {
            i = kept - 1;
            continue;
        }
        left -= needed;
        fitting[count++] = i;
    }
    return count;
}

/* Draws all answers to a question that do not fit one row: from the end of the question on, then in
 * the last row. */
static void draw_answers_in_two_rows(struct ui *ui, const struct canvas *canvas,
                                     const struct hints *hints, int row, int column)
{
    int last = row + 1;
    for (int i = 0; i < hints->count; i++) {
        int width = measure_hint_width(ui, hints, i);
        if (row < last && column + width - 2 > canvas->body.width - 1) {
            row = last;
            column = 1;
        }
        draw_hint(ui, canvas, hints, i, row, column);
        column += width;
    }
}

static void draw_key_hints(struct ui *ui, const struct canvas *canvas, int row, int question_end)
{
    struct hints hints = {0};
    int fitting[HINTS_MAX];
    if (ui->is_typing || ui->question.is_open) {
        add_hints_while_typing(ui, &hints);
    } else {
        collect_top_screen_hints(ui, &hints);
    }
    int count = choose_fitting_hints(ui, &hints, canvas->body.width - 2, fitting);
    if (count < hints.count && ui->question.is_open && ui->question.kind == ASK_KEYS) {
        draw_answers_in_two_rows(ui, canvas, &hints, row - 1, question_end + 1);
        return;
    }
    int column = 1;
    for (int i = 0; i < count; i++) {
        draw_hint(ui, canvas, &hints, fitting[i], row, column);
        column += measure_hint_width(ui, &hints, fitting[i]);
    }
}

void ui_write_key_list(struct ui *ui, int width, struct text *out)
{
    struct hints hints = {0};
    int fitting[HINTS_MAX];
    collect_top_screen_hints(ui, &hints);
    int count = choose_fitting_hints(ui, &hints, width, fitting);
    for (int i = 0; i < count; i++) {
        text_format_list_item(out, "%s %s", get_hint_key(ui, &hints, fitting[i]),
                              hints.at[fitting[i]].label);
    }
}

void ui_draw_bottom_rows(struct ui *ui, const struct canvas *canvas, int *cursor_row,
                         int *cursor_column)
{
    int row = canvas->body.row + canvas->body.height;
    draw_input_line(ui, canvas, row + 1, cursor_column);
    if (has_long_question(ui, canvas)) {
        draw_long_question(ui, canvas, row);
    } else {
        draw_line_with_notice(ui, canvas, row);
    }
    *cursor_row = row + 1;
    draw_key_hints(ui, canvas, row + 2, *cursor_column);
}
