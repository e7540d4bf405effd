#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* maximum size in bytes of the printed lines that wait to be sent; further lines are lost, and the
 * person is told so */
#define LINES_MAX ((size_t)256 << 10)
#define TYPED_MAX ((size_t)64 << 10)
#define BUSY_MS 3000 /* the most milliseconds that typed lines wait for an answer */
/* the most milliseconds that typed lines wait until the core has described the lobby: before that,
 * every command would answer that nobody is in the house */
#define ENTERING_MS 30000
#define AT_ONCE 20 /* the most lines that are carried out before other events are handled */

void plain_init(struct plain *plain)
{
    *plain = (struct plain){.theme = theme_plain, .pass_ms = INT64_MAX};
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
    bool is_on = ui->setup.lines.is_on || ui->model->settings.is_plain;
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

bool ui_is_typing_hidden(const struct ui *ui)
{
    return ui->plain.is_on && ui->question.is_open && ui->question.kind == ASK_SECRET;
}

/* True while an answer or the first description of the lobby is outstanding: typed lines wait
 * meanwhile, for an answer at most BUSY_MS, for the lobby ENTERING_MS. The end of the session waits
 * as long for its last answer, which tells what came of a command. */
static bool awaits_answer(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    int64_t sent_ms = ui_get_oldest_request_sent_at_ms(ui);
    bool is_entering = ui->model->you.name[0] != '\0' && !plain->has_house;
    int64_t most_ms = plain->typed.len > 0 ? BUSY_MS : ENTERING_MS;
    return (sent_ms != INT64_MAX && ui->now_ms - sent_ms < most_ms) ||
           (is_entering && ui->now_ms - plain->begin_ms < ENTERING_MS);
}

static const char *choose_line_ending(const struct ui *ui)
{
    return ui->setup.lines.is_piped ? "\n" : "\r\n";
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
    struct lines_look look = {.width = ui->setup.lines.is_read_aloud ? 0 : ui->setup.columns,
                              .is_ascii =
                                  ui->setup.is_ascii ||
                                  (ui->theme.is_ascii && ui->model->settings.ascii != ROW_UNSET),
                              .end = choose_line_ending(ui)};
    if (plain->lines.text.len == 0) {
        return;
    }
    if (plain->is_prompted) {
        append_terminal_output(ui, choose_line_ending(ui));
        plain->is_prompted = false;
    }
    if (!lines_write(&plain->lines, &look, &plain->shown) || plain->lines.is_cut) {
        append_terminal_output(ui, _("(Some lines were lost: type /look.)"));
        append_terminal_output(ui, choose_line_ending(ui));
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
    } else if (question->kind == ASK_SECRET && ui->setup.lines.is_piped) {
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
    if (!ui->setup.lines.is_echoed) {
        lines_put(screen_get_plain_lines(ui), line);
    }
    append_printed_lines(ui);
    ui->is_dirty = true;
}

static void repeat_question(struct ui *ui)
{
    if (!ui->setup.lines.is_echoed) {
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
            choose_line_ending(ui));
        plain->is_prompted = false;
    }
    if (!ui->setup.lines.is_echoed || plain->is_prompted || ui->is_done || awaits_answer(ui)) {
        return;
    }
    plain->is_asking = ui->question.is_open;
    if (ui->question.is_open) {
        append_terminal_output(ui, ui->plain.question);
        append_terminal_output(ui, " ");
    } else {
        append_terminal_output(ui, "> ");
    }
    append_terminal_output(ui, ui_is_typing_hidden(ui) ? "" : ui->input.text);
    plain->is_prompted = true;
}

void ui_plain_append_output(struct ui *ui, struct bytes *out)
{
    struct plain *plain = &ui->plain;
    append_printed_lines(ui);
    append_prompt(ui);
    if (ui->is_ringing && ui->has_bell && !ui->setup.lines.is_piped) {
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

/* Plain mode: makes lines of the keys pressed, and carries the lines out. */

static void echo_text(struct ui *ui, const char *text)
{
    if (ui->setup.lines.is_echoed) {
        append_terminal_output(ui, text);
    }
}

/* Ends the line on the terminal; the prompt will be written again below it. */
static void end_prompt_line(struct ui *ui)
{
    echo_text(ui, "\r\n");
    ui->plain.is_prompted = false;
}

static void erase_last_character(struct ui *ui)
{
    const struct press press = {.kind = PRESS_BACKSPACE};
    int before = input_get_cursor_column(&ui->input);
    input_handle_key(&ui->input, &press, false);
    for (int i = input_get_cursor_column(&ui->input); i < before && !ui_is_typing_hidden(ui); i++) {
        echo_text(ui, "\b \b");
    }
}

static void insert_character(struct ui *ui, const struct press *press)
{
    size_t before = ui->input.len;
    input_handle_key(&ui->input, press, false);
    if (!ui_is_typing_hidden(ui)) {
        echo_text(ui, ui->input.text + before);
    }
}

/* Answers the open question with a line. False if the line is not a valid answer. */
static bool answer_question(struct ui *ui, const char *line)
{
    bool is_yes = line[0] == 'y' || line[0] == 'Y';
    bool is_no = line[0] == 'n' || line[0] == 'N';
    switch (ui->question.kind) {
    case ASK_WORDS:
        ui_answer_question(ui, line[0] != '\0' ? line : ui->plain.suggested);
        return true;
    case ASK_SECRET:
        ui_answer_question(ui, line);
        return true;
    case ASK_YES:
    case ASK_SURE:
        if (is_yes || is_no) {
            ui_answer_question(ui, is_yes ? "y" : NULL);
        }
        return is_yes || is_no;
    case ASK_KEYS:
        if (ui_answer_question_by_key(ui, line)) {
            return true;
        }
        is_no = strcasecmp(line, "n") == 0 || strcasecmp(line, "no") == 0;
        if (is_no) {
            ui_answer_question(ui, NULL);
        }
        return is_no;
    }
    return false;
}

static void handle_line_during_question(struct ui *ui, const char *line)
{
    bool is_secret = ui->question.kind == ASK_SECRET;
    if (strcmp(line, "/back") == 0) {
        ui_answer_question(ui, NULL);
    } else if (line[0] == '/' && !is_secret) {
        uint32_t serial = ui->question.serial;
        command_run(ui, line);
        if (ui->question.is_open && ui->question.serial == serial) {
            repeat_question(ui);
        }
    } else if (!answer_question(ui, line)) {
        repeat_question(ui);
    }
}

static void handle_line_without_question(struct ui *ui, const char *line)
{
    struct ui_layer *layer = ui_top_layer(ui);
    if (line[0] == '/') {
        command_run(ui, line);
    } else if (layer->screen->line != NULL && layer->screen->line(ui, layer->state, line)) {
        return;
    } else if (line[0] != '\0' && layer->screen->shows_chat) {
        screen_carry_out_line(ui, line);
    } else {
        screen_print_top_again(ui);
    }
}

/* Carries out the typed line. Removes surrounding blanks, except from a password. */
static void carry_out_typed_line(struct ui *ui)
{
    char line[INPUT_MAX];
    size_t blanks = ui_is_typing_hidden(ui) ? 0 : strspn(ui->input.text, " ");
    snprintf(line, sizeof(line), "%s", ui->input.text + blanks);
    for (size_t len = strlen(line); !ui_is_typing_hidden(ui) && len > 0 && line[len - 1] == ' ';
         len--) {
        line[len - 1] = '\0';
    }
    explicit_bzero(ui->input.text, sizeof(ui->input.text));
    input_set_text(&ui->input, "");
    end_prompt_line(ui);
    if (ui->question.is_open) {
        handle_line_during_question(ui, line);
    } else {
        handle_line_without_question(ui, line);
    }
    explicit_bzero(line, sizeof(line));
}

static void handle_ctrl_c(struct ui *ui)
{
    bool is_empty = ui->input.len == 0;
    input_set_text(&ui->input, "");
    end_prompt_line(ui);
    if (is_empty) {
        screen_ask_before_quitting(ui);
    }
}

static void complete_word(struct ui *ui)
{
    if (ui->setup.lines.is_echoed && !ui->question.is_open) {
        ui_complete_word(ui);
        end_prompt_line(ui);
    }
}

static void handle_character(struct ui *ui, const struct press *press)
{
    switch (press->code) {
    case PRESS_CTRL('U'):
        while (ui->input.len > 0) {
            erase_last_character(ui);
        }
        break;
    case PRESS_CTRL('C'):
        handle_ctrl_c(ui);
        break;
    case PRESS_CTRL('D'):
        if (ui->input.len == 0) {
            screen_ask_before_quitting(ui);
        }
        break;
    default:
        if (press->code >= ' ') {
            insert_character(ui, press);
        }
        break;
    }
}

void ui_plain_handle_key(struct ui *ui, const struct press *press)
{
    switch ((int)press->kind) {
    case PRESS_CHAR:
    case PRESS_PASTED:
        handle_character(ui, press);
        break;
    case PRESS_ENTER:
        carry_out_typed_line(ui);
        break;
    case PRESS_BACKSPACE:
        erase_last_character(ui);
        break;
    case PRESS_TAB:
        complete_word(ui);
        break;
    default:
        break;
    }
}

/* Carries out the next complete line; at the end of input also an incomplete one. */
static void carry_out_next_line(struct ui *ui)
{
    struct bytes *typed = &ui->plain.typed;
    size_t len = 0;
    while (len < typed->len && typed->at[len] != '\r' && typed->at[len] != '\n') {
        len++;
    }
    len += len < typed->len ? 1 : 0;
    char line[INPUT_MAX];
    for (size_t at = 0; at < len;) {
        size_t part = len - at < sizeof(line) ? len - at : sizeof(line);
        memcpy(line, typed->at + at, part);
        ui_take_typed_bytes(ui, (const uint8_t *)line, part);
        at += part;
    }
    explicit_bzero(line, sizeof(line));
    explicit_bzero(typed->at, len);
    bytes_drop_first(typed, len);
    ui->plain.line_ms = ui->now_ms;
}

/* True if the top screen can be closed: it takes no input, is printed, and waits for no answer. */
static bool may_close_top_screen(struct ui *ui)
{
    const struct ui_layer *layer = ui_top_layer(ui);
    return ui->depth > 1 && layer->is_printed && layer->screen->line == NULL &&
           !ui->question.is_open && !ui_layer_awaits_answer(ui, layer);
}

static void print_top_screen(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    if (ui->going_back != 0) {
        return; /* the lobby is not printed on the way back to a table */
    }
    if (!layer->is_printed &&
        (layer->screen->print == NULL ||
         layer->screen->print(ui, layer->state, screen_get_plain_lines(ui)))) {
        ui_top_layer(ui)->is_printed = true;
    }
    if (may_close_top_screen(ui)) {
        screen_close(ui);
    }
    layer = ui_top_layer(ui);
    ui->plain.pass_ms =
        layer->screen->pass != NULL ? layer->screen->pass(ui, layer->state) : INT64_MAX;
}

/* True if there is a line, and what the line before has opened was printed or asks something. */
static bool may_carry_out_line(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    bool is_shown = ui->question.is_open || ui->stack[ui->depth - 1].is_printed ||
                    ui->now_ms - plain->line_ms >= BUSY_MS;
    return plain->typed.len > 0 && is_shown && !awaits_answer(ui) && !ui->is_done;
}

void ui_plain_carry_out_lines(struct ui *ui)
{
    struct plain *plain = &ui->plain;
    if (!plain->is_on || ui->depth == 0) {
        bytes_drop_first(
            &plain->typed,
            plain->typed.len); /* discarded: lines typed in plain mode are not for drawn screens */
        return;
    }
    plain->begin_ms = plain->begin_ms == 0 ? ui->now_ms : plain->begin_ms;
    print_top_screen(ui);
    for (int i = 0; i < AT_ONCE && plain->is_on && may_carry_out_line(ui); i++) {
        carry_out_next_line(ui);
        print_top_screen(ui);
    }
    bool is_top_printed = ui_top_layer(ui)->is_printed || ui->now_ms - plain->end_ms >= BUSY_MS;
    bool is_over = plain->is_ended || (plain->is_leaving && !ui->question.is_open);
    if (is_over && plain->typed.len == 0 && !awaits_answer(ui) && is_top_printed) {
        ui->is_done = true;
    }
}

int64_t ui_plain_next_event_at_ms(const struct ui *ui)
{
    const struct plain *plain = &ui->plain;
    if (may_carry_out_line(ui)) {
        return ui->now_ms + 1;
    }
    bool is_waiting =
        plain->typed.len > 0 || plain->is_ended || plain->is_leaving || awaits_answer(ui);
    int64_t busy_ms = is_waiting ? ui->now_ms + BUSY_MS : INT64_MAX;
    return busy_ms < plain->pass_ms ? busy_ms : plain->pass_ms;
}
