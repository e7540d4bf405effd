#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* maximum size in bytes of the printed lines that wait to be sent; further lines are lost, and the
 * person is told so */
#define LINES_MAX ((size_t)256 << 10)
#define TYPED_MAX ((size_t)64 << 10)

void plain_init(struct plain *plain, const struct ui_lines *line_mode, int columns)
{
    *plain = (struct plain){
        .line_mode = *line_mode, .columns = columns, .theme = theme_plain, .pass_ms = INT64_MAX};
    setlocale(LC_CTYPE, "C.UTF-8"); /* needed by wcwidth, which counts columns */
    lines_init(&plain->lines, LINES_MAX);
    bytes_init(&plain->shown, 2 * LINES_MAX);
    bytes_init(&plain->typed, TYPED_MAX);
}

void plain_clear(struct plain *plain)
{
    lines_clear(&plain->lines);
    bytes_clear(&plain->shown);
    if (plain->typed.len > 0) {
        explicit_bzero(plain->typed.at, plain->typed.len); /* the text may have been a password */
    }
    bytes_clear(&plain->typed);
}

void ui_plain_update_mode(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    bool is_on = plain->line_mode.is_on || ui->model->settings.is_plain;
    if (is_on == plain->is_on) {
        return;
    }
    plain->is_on = is_on;
    plain->is_prompted = false;
    if (is_on && plain->was_drawn) {
        display_set_title(ui->display, "", &plain->shown);
        display_restore_terminal(ui->display, &plain->shown);
        plain->was_drawn = false;
    } else if (!is_on) {
        display_force_redraw(ui->display);
    }
    for (int i = 0; i < ui->depth; i++) {
        ui->stack[i].is_printed = i + 1 < ui->depth;
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
}

bool ui_plain_hides_typing(const struct ui *ui)
{
    return ui->plain.is_on && ui->question.is_open && ui->question.kind == ASK_SECRET;
}

bool ui_plain_awaits_answer(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    int64_t sent_ms = ui_get_oldest_request_sent_at_ms(ui);
    bool is_entering = ui->model->you.name[0] != '\0' && !plain->has_house;
    int64_t most_ms = plain->typed.len > 0 ? PLAIN_BUSY_MS : PLAIN_ENTERING_MS;
    return (sent_ms != INT64_MAX && ui->now_ms - sent_ms < most_ms) ||
           (is_entering && ui->now_ms - plain->begin_ms < PLAIN_ENTERING_MS);
}

static const char *choose_line_ending(const struct plain *plain)
{
    return plain->line_mode.is_piped ? "\n" : "\r\n";
}

/* Appends output for the terminal. Text that does not fit is dropped: the reader is far behind
 * anyway. */
static void append_terminal_output(struct ui *ui, const char *text)
{
    bool is_shown = bytes_add(&ui->plain.shown, text, strlen(text));
    (void)is_shown;
    ui->is_dirty = true;
}

/* Appends the printed lines to the output, below the current prompt. */
static void append_printed_lines(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    struct lines_look look = {.width = plain->line_mode.is_read_aloud ? 0 : plain->columns,
                              .is_ascii =
                                  ui->is_ascii_terminal ||
                                  (ui->theme.is_ascii && ui->model->settings.ascii != ROW_UNSET),
                              .end = choose_line_ending(plain)};
    if (plain->lines.text.len == 0) {
        return;
    }
    if (plain->is_prompted) {
        append_terminal_output(ui, choose_line_ending(plain));
        plain->is_prompted = false;
    }
    if (!lines_write(&plain->lines, &look, &plain->shown) || plain->lines.is_cut) {
        append_terminal_output(ui, _("(Some lines were lost: type /look.)"));
        append_terminal_output(ui, choose_line_ending(plain));
    }
    lines_clear(&plain->lines);
}

/* Writes the question and how to answer it. Enter alone accepts the suggestion. */
static void write_question(const struct ui *ui, struct text *out)
{
    const struct ui_question *question = &ui->question;
    if (ui_question_is_yes_or_no(ui)) {
        text_format(out, _("%s (y or n)"), question->text);
    } else if (question->kind == ASK_KEYS) {
        text_format(out, "%s (", question->text);
        for (const struct ask_key *key = question->keys; key->key != NULL; key++) {
            text_format(out, "%s: %s, ", key->key, _(key->label));
        }
        text_format(out, "/back: %s)", _("stay"));
    } else if (question->kind == ASK_SECRET && ui->plain.line_mode.is_piped) {
        text_format(out, _("%s (what you type is visible)"), question->text);
    } else if (ui->input.text[0] != '\0' && question->kind == ASK_WORDS) {
        text_format(out, _("%s (Enter alone: %s)"), question->text, ui->input.text);
    } else {
        text_put(out, question->text);
    }
}

/* Prints the question: as the prompt if typed text is echoed here, otherwise as a line. */
void ui_plain_print_question(struct ui *ui)
{
    char *line = ui->plain.question;
    struct text out = text_init(line, sizeof(ui->plain.question));
    write_question(ui, &out);
    snprintf(ui->plain.suggested, sizeof(ui->plain.suggested), "%s", ui->input.text);
    input_set_text(&ui->input, "");
    if (!ui->plain.line_mode.is_echoed) {
        lines_put(screen_get_plain_lines(ui), line);
    }
    append_printed_lines(ui);
    ui->is_dirty = true;
}

void ui_plain_repeat_question(struct ui *ui)
{
    if (!ui->plain.line_mode.is_echoed) {
        lines_put(screen_get_plain_lines(ui), ui->plain.question);
    }
}

static void append_prompt(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    if (plain->is_prompted && plain->is_asking != ui->question.is_open) {
        append_terminal_output(
            ui,
            /* the prompt on the terminal belongs to another question, or to none */
            choose_line_ending(plain));
        plain->is_prompted = false;
    }
    if (!plain->line_mode.is_echoed || plain->is_prompted || ui->is_done ||
        ui_plain_awaits_answer(ui)) {
        return;
    }
    plain->is_asking = ui->question.is_open;
    if (ui->question.is_open) {
        append_terminal_output(ui, ui->plain.question);
        append_terminal_output(ui, " ");
    } else {
        append_terminal_output(ui, "> ");
    }
    append_terminal_output(ui, ui_plain_hides_typing(ui) ? "" : ui->input.text);
    plain->is_prompted = true;
}

void ui_plain_append_output(struct ui *ui, struct bytes *out)
{
    struct plain *plain = &ui->plain;
    append_printed_lines(ui);
    append_prompt(ui);
    if (ui->is_ringing && ui->has_bell && !plain->line_mode.is_piped) {
        append_terminal_output(ui, "\a");
    }
    ui->is_ringing = false;
    if (bytes_add(out, plain->shown.at, plain->shown.len)) {
        bytes_drop_first(&plain->shown, plain->shown.len);
    }
}

void ui_plain_tell_absence(struct ui *ui)
{
    bool is_away = ui_away_notice_at_ms(ui) <= ui->now_ms;
    if (ui->plain.is_on && is_away != ui->plain.is_away_told) {
        lines_put(screen_get_plain_lines(ui), is_away ? ui_away_text() : _("The house is back."));
        ui->plain.is_away_told = is_away;
    }
}

/* Prints a new chat line if it belongs to the open chat: at a table, the table's chat and direct
 * messages. Older lines are printed only by /chat. */
void ui_plain_print_chat_line(struct ui *ui, const json_t *message)
{
    struct plain *plain = &ui->plain;
    struct chat_row row;
    (void)chat_row_read(message, &row);
    bool is_lobby = row_value_of_word(&chat_place_words, row.channel) == CHAT_PLACE_LOBBY;
    bool is_room = row.channel[0] == '#';
    int seen = ui->model->entered != NULL ? CHAT_TABLE
               : is_room                  ? model_find_channel(ui->model, row.channel)
                                          : CHAT_LOBBY;
    const struct chat_log *log = &ui->model->chat[seen];
    if (!plain->is_on || log->count == 0 || ((is_lobby || is_room) && seen == CHAT_TABLE) ||
        (is_room && seen == CHAT_LOBBY) || (row.at_ms < plain->since_ms && !row.is_kept)) {
        return;
    }
    const struct chat_line *line = model_chat_get_line(log, log->count - 1);
    /* a line that comes twice is printed once */
    if (line->n == 0 || line->n > plain->printed_n[seen]) {
        plain->printed_n[seen] = line->n;
        chat_print_line(ui->model, line, screen_get_plain_lines(ui));
    }
}
