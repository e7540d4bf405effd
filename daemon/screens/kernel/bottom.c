#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "games/macros.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hints_translate_key_names(const char *keys, bool is_ascii)
{
    static const struct {
        const char *signs, *words;
    } arrows[] = {{"← →", N_("left right")}, {"↑ ↓", N_("up down")}, {"↑", N_("up")}};
    for (size_t i = 0; i < ARRAY_LEN(arrows) && is_ascii; i++) {
        if (strcmp(keys, arrows[i].signs) == 0) {
            return _(arrows[i].words);
        }
    }
    return _(keys);
}

void hints_add(struct hints *hints, const char *keys, const char *label)
{
    const char *key = hints_translate_key_names(keys, hints->is_ascii);
    for (int i = 0; i < hints->count; i++) {
        if (strcmp(hints->at[i].key, key) == 0) {
            return;
        }
    }
    if (hints->count < HINTS_MAX) {
        int at = hints->count++;
        snprintf(hints->at[at].key, HINT_MAX, "%s", key);
        snprintf(hints->at[at].label, HINT_MAX, "%s", label);
    }
}

static void set_notice(struct ui *ui, enum style style, const char *text)
{
    snprintf(ui->notice, sizeof ui->notice, "%s", text);
    ui->notice_style = style;
    ui->is_notice_brief = style == STYLE_WARN;
    ui->is_notice_passing = false;
    ui->is_notice_of_house = false;
    ui->is_notice_painted = false;
    ui->notice_end_ms = ui->now_ms + UI_NOTICE_MS;
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        ui->notice_end_ms = 0;
        lines_put(screen_get_plain_lines(ui), text);
    }
}

void screen_inform(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    set_notice(ui, STYLE_NOTICE, text);
}

void screen_warn(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    snprintf(ui->last_warning, sizeof ui->last_warning, "%s", text);
    set_notice(ui, STYLE_WARN, text);
}

void screen_drop_notice_when_table_changes(struct ui *ui)
{
    ui->is_notice_passing = true;
}

int64_t ui_away_notice_at_ms(const struct ui *ui)
{
    int64_t since_ms = ui->model->away_since_ms;
    return since_ms == 0 ? INT64_MAX : since_ms + UI_AWAY_MS;
}

void screen_warn_of_refusal(struct ui *ui, const struct ui_answer *answer)
{
    char why[MODEL_TEXT_MAX];
    model_read_sentence(answer->json, "why", why, sizeof why);
    screen_warn(ui, "%s", why[0] != '\0' ? why : _("That did not work."));
}

void screen_warn_of_password_length(struct ui *ui)
{
    screen_warn(ui, _("A password has %u to %u characters: a short sentence will do."),
                ui->setup.password_min, ui->setup.password_max);
}

/* Shows a line that was added to the chat while a screen covers the chat. Of several lines the
 * notice only says where they are. */
static void show_covered_line(struct ui *ui, const char *text)
{
    bool is_another = ui->answered_ms == ui->now_ms;
    ui->answered_ms = ui->now_ms;
    screen_inform(ui, "%s",
                  is_another ? _("The answer is in the chat: go back with q to read it.") : text);
}

void screen_add_chat_line(struct ui *ui, const char *format, ...)
{
    char text[LINES_LINE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    enum chat_channel room =
        ui->model->entered != NULL ? CHAT_TABLE : (enum chat_channel)screen_current_channel(ui);
    model_add_house_line(ui->model, room, text, clock_unix_ms());
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        lines_put(screen_get_plain_lines(ui), text);
    } else if (ui->depth > 0 && !ui_top_layer(ui)->screen->shows_chat) {
        show_covered_line(ui, text);
    }
}

void screen_ring_bell(struct ui *ui)
{
    ui->is_ringing = true;
    ui->is_dirty = true;
}

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

/* Returns how many columns the last row takes when a text is wrapped at spaces. */
static int measure_last_wrapped_row(const char *text, int width)
{
    size_t over = 0, len = styled_text_count_fitting_bytes(text, width, &over);
    while (len > 0 && text[len + over] != '\0') {
        text += len + over;
        len = styled_text_count_fitting_bytes(text, width, &over);
    }
    struct text row = TEXT_OF(2 * MODEL_TEXT_MAX);
    text_put_bytes(&row, text, len);
    return draw_measure_text(row.at);
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
        int last = measure_last_wrapped_row(text, width);
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
    draw_horizontal_line(canvas, row, 0, width);
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
        text = _(UI_AWAY_TEXT);
        style = STYLE_NOTICE;
    } else if (ui_get_oldest_request_sent_at_ms(ui, 0) <= ui->now_ms - UI_LATE_MS) {
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
    for (struct styled_char step; column > 0 && (step = styled_text_read_char(text)).len > 0;
         text += step.len) {
        column -= step.columns;
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
    draw_horizontal_line(canvas, area.row - 1, 0, canvas->body.width);
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

static int measure_hint_width(const struct hints *hints, int index)
{
    return draw_measure_text(hints->at[index].key) + 1 + draw_measure_text(hints->at[index].label) +
           2;
}

/* Draws a hint, its key and its label. */
static void draw_hint(const struct canvas *canvas, const struct hints *hints, int index, int row,
                      int column)
{
    int width = measure_hint_width(hints, index);
    int key = draw_text(canvas, row, column, width, STYLE_KEY, hints->at[index].key);
    draw_text(canvas, row, column + key + 1, width, STYLE_PLAIN, hints->at[index].label);
}

/* Lists the hints that fit a row of that width, in their order; the last two always do. Returns how
 * many. */
static int choose_fitting_hints(const struct hints *hints, int width, int fitting[HINTS_MAX])
{
    int count = 0, left = width;
    int kept = hints->count > 2 ? hints->count - 2 : 0;
    for (int i = kept; i < hints->count; i++) {
        left -= measure_hint_width(hints, i);
    }
    for (int i = 0; i < hints->count; i++) {
        int needed = i < kept ? measure_hint_width(hints, i) : 0;
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
static void draw_answers_in_two_rows(const struct canvas *canvas, const struct hints *hints,
                                     int row, int column)
{
    int last = row + 1;
    for (int i = 0; i < hints->count; i++) {
        int width = measure_hint_width(hints, i);
        if (row < last && column + width - 2 > canvas->body.width - 1) {
            row = last;
            column = 1;
        }
        draw_hint(canvas, hints, i, row, column);
        column += width;
    }
}

static void draw_key_hints(struct ui *ui, const struct canvas *canvas, int row, int question_end)
{
    struct hints hints = {.is_ascii = ui->theme.is_ascii};
    int fitting[HINTS_MAX];
    if (ui->is_typing || ui->question.is_open) {
        add_hints_while_typing(ui, &hints);
    } else {
        collect_top_screen_hints(ui, &hints);
    }
    int count = choose_fitting_hints(&hints, canvas->body.width - 2, fitting);
    if (count < hints.count && ui->question.is_open && ui->question.kind == ASK_KEYS) {
        draw_answers_in_two_rows(canvas, &hints, row - 1, question_end + 1);
        return;
    }
    int column = 1;
    for (int i = 0; i < count; i++) {
        draw_hint(canvas, &hints, fitting[i], row, column);
        column += measure_hint_width(&hints, fitting[i]);
    }
}

void ui_write_key_list(struct ui *ui, int width, struct text *out)
{
    struct hints hints = {.is_ascii = ui->theme.is_ascii};
    int fitting[HINTS_MAX];
    collect_top_screen_hints(ui, &hints);
    int count = choose_fitting_hints(&hints, width, fitting);
    for (int i = 0; i < count; i++) {
        text_format_list_item(out, "%s %s", hints.at[fitting[i]].key, hints.at[fitting[i]].label);
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

#define HINTS_PER_WINDOW 5
#define WINDOW_MS 1000

const struct hint *screen_find_hint(struct ui *ui, const struct game_view *view,
                                    const struct game_config *config, int64_t game_id)
{
    if (game_id != 0 && ui->hint_game == game_id && ui->hint_step == view->step &&
        ui->hint_seat == view->seat) {
        return &ui->hint;
    }
    if (ui->hint_count == 0 || ui->now_ms - ui->hints_since_ms >= WINDOW_MS) {
        ui->hints_since_ms = ui->now_ms;
        ui->hint_count = 0;
    }
    if (ui->hint_count == HINTS_PER_WINDOW) {
        screen_warn(ui, "%s", _("The bot needs a moment: ask for the next hint in a second."));
        return NULL;
    }
    ui->hint_count++;
    hint_make(&ui->hint, view, config, game_id);
    ui->hint_game = game_id;
    ui->hint_step = view->step;
    ui->hint_seat = view->seat;
    return &ui->hint;
}

/* Leaves a table that no longer admits spectators. */
static void leave_table_closed_to_spectators(struct ui *ui, const json_t *message)
{
    char why[MODEL_TEXT_MAX];
    int64_t table = model_read_number(json_object_get(message, "table"), 0);
    if (ui->model->entered == NULL || ui->model->entered->row.id != table) {
        return;
    }
    model_read_sentence(message, "why", why, sizeof why);
    model_leave_table(ui->model);
    screen_return_to_lobby(ui);
    screen_warn(ui, "%s", why);
}

/* Rings the bell when the person's turn has come, at this table or another. */
static void report_new_turns(struct ui *ui)
{
    const struct model_entered *entered = ui->model->entered;
    bool is_to_act = model_viewer_is_asked_to_move(entered);
    int turns = model_count_tables_with_own_turn(ui->model);
    if ((is_to_act && !ui->was_to_act) || turns > ui->turns) {
        screen_ring_bell(ui);
    }
    for (int i = 0; i < ui->model->mine_count && turns > ui->turns; i++) {
        const struct mine_row *mine = &ui->model->mine[i];
        bool is_here =
            (entered != NULL && entered->row.id == mine->table) || ui->going_back == mine->table;
        if (mine->is_turn && !is_here) {
            screen_inform(ui, _("It is your turn at #%lld: press N or type /next to go there"),
                          (long long)mine->table);
        }
    }
    ui->was_to_act = is_to_act;
    ui->turns = turns;
}

/* Shows a warning of the house until it could be read and a key is pressed. */
static void show_warning_of_house(struct ui *ui, const char *text)
{
    screen_warn(ui, "%s", text);
    ui->is_notice_of_house = true;
}

/* Shows an announcement of staff in the open chat, and as a warning. */
static void show_announcement(struct ui *ui, const char *text)
{
    if (!ui->plain.is_on) {
        screen_add_chat_line(ui, "%s", text);
    }
    show_warning_of_house(ui, text);
    screen_ring_bell(ui);
}

static void show_notice_from_core(struct ui *ui, const json_t *message)
{
    enum {
        NOTICE_MOTD,
        NOTICE_WALL,
        NOTICE_WARN
    };
    static const char *const kinds[] = {
        [NOTICE_MOTD] = "motd", [NOTICE_WALL] = "wall", [NOTICE_WARN] = "warn", NULL};
    int kind = text_find_word(kinds, json_string_value(json_object_get(message, "kind")));
    char text[MODEL_TEXT_MAX];
    if (kind == NOTICE_MOTD || kind == NOTICE_WALL) {
        model_get_text(message, "text", text, sizeof text);
    } else {
        model_read_sentence(message, "text", text, sizeof text);
    }
    if (kind == NOTICE_MOTD) {
        screen_add_chat_line(ui, "%s", text);
    } else if (kind == NOTICE_WALL) {
        show_announcement(ui, text);
    } else if (kind == NOTICE_WARN) {
        show_warning_of_house(ui, text);
    } else {
        screen_inform(ui, "%s", text);
    }
}

/* Rings the bell for a direct message, and says how many messages have arrived while the person was
 * away. */
static void report_direct_message(struct ui *ui, const struct chat_row *row)
{
    if (row_value_of_word(&chat_place_words, row->channel) != CHAT_PLACE_DIRECT ||
        row->from[0] == '\0' || strcmp(row->from, ui->model->you.name) == 0) {
        return;
    }
    if (ui->model->you.presence != PRESENCE_DND) {
        screen_ring_bell(ui);
    }
    int kept = 0;
    const struct chat_log *log = &ui->model->chat[CHAT_LOBBY];
    for (int i = 0; i < log->count; i++) {
        kept += log->lines[i].is_kept ? 1 : 0;
    }
    if (row->is_kept && !ui->plain.is_on) {
        screen_inform(ui,
                      ngettext("%d message has waited for you: read it in the lobby's chat.",
                               "%d messages have waited for you: read them in the lobby's chat.",
                               (unsigned long)kept),
                      kept);
    }
}

static void show_invitation(struct ui *ui, UNUSED const json_t *message)
{
    const struct model *model = ui->model;
    if (model->invite.table == 0) {
        return;
    }
    screen_inform(ui, _("%s invites you to #%lld, %s: /accept sits down there, /decline refuses"),
                  model->invite.from, (long long)model->invite.table, _(model->invite.game->title));
    screen_ring_bell(ui);
}

/* Marks a channel that is not on the screen as unread, unless the chat line is older than this
 * session. */
static void mark_unread_channel(struct ui *ui, const struct chat_row *row)
{
    size_t place = row_value_of_word(&chat_place_words, row->channel);
    bool is_lobby = place == CHAT_PLACE_LOBBY || place == CHAT_PLACE_DIRECT;
    int room = is_lobby ? CHAT_LOBBY : model_find_channel(ui->model, row->channel);
    bool is_new = row->at_ms >= ui->plain.since_ms;
    if ((is_lobby || room != CHAT_LOBBY) && room != screen_current_channel(ui) && is_new) {
        ui->room_news = (uint16_t)(ui->room_news | 1U << room);
    }
}

static void report_chat_line(struct ui *ui, const json_t *message)
{
    struct chat_row row;
    (void)chat_row_read(message, &row);
    report_direct_message(ui, &row);
    mark_unread_channel(ui, &row);
}

/* Removes a notice that the change of the table outdates: at once in the person's turn, otherwise
 * when it could be read, as bots move fast. */
static void drop_outdated_notice(struct ui *ui, UNUSED const json_t *message)
{
    bool is_turn = model_viewer_is_asked_to_move(ui->model->entered);
    if (ui->is_notice_passing && ui->notice_end_ms > 0) {
        int64_t read_ms = ui->notice_end_ms - UI_NOTICE_MS + UI_NOTICE_READ_MS;
        ui->notice_end_ms = is_turn ? 0 : read_ms;
        ui->is_notice_passing = false;
    }
}

void ui_report_pushed_message(struct ui *ui, const char *type, const json_t *message)
{
    static const struct {
        const char *type;
        void (*take)(struct ui *ui, const json_t *message);
    } pushes[] = {
        {"chat", report_chat_line},        {"invite", show_invitation},
        {"notice", show_notice_from_core}, {"sent_out", leave_table_closed_to_spectators},
        {"table", drop_outdated_notice},   {"view", drop_outdated_notice},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(ui, message);
        }
    }
    report_new_turns(ui);
}
