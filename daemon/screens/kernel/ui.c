#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Plain mode. */

/* maximum size in bytes of the printed lines that wait to be sent; further lines are lost, and the
 * person is told so */
#define LINES_MAX ((size_t)256 << 10)
#define TYPED_MAX ((size_t)64 << 10)
#define BUSY_MS 3000 /* the most milliseconds that typed lines wait for an answer */
/* the most milliseconds that typed lines wait until the core has described the lobby: before that,
 * every command would answer that nobody is in the house */
#define ENTERING_MS 30000
#define AT_ONCE 20 /* the most lines that are carried out before other events are handled */

static void init_plain(struct plain *plain)
{
    *plain = (struct plain){.pass_ms = INT64_MAX};
    setlocale(LC_CTYPE, "C.UTF-8"); /* needed by wcwidth, which counts columns */
    lines_init(&plain->lines, LINES_MAX);
    bytes_init(&plain->shown, 2 * LINES_MAX);
    bytes_init(&plain->typed, TYPED_MAX);
}

static void clear_plain(struct plain *plain)
{
    lines_clear(&plain->lines);
    bytes_clear(&plain->shown);
    if (plain->typed.len > 0) {
        explicit_bzero(plain->typed.at, plain->typed.len); /* the text may have been a password */
    }
    bytes_clear(&plain->typed);
}

/* Switches between plain mode and drawn screens, as the terminal and the settings require. */
static void update_plain_mode(struct ui *ui)
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
    int64_t sent_ms = ui_get_oldest_request_sent_at_ms(ui, 0);
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

/* Appends the pending output and the prompt to `out`. */
static void append_plain_output(struct ui *ui, struct bytes *out)
{
    struct plain *plain = &ui->plain;
    append_printed_lines(ui);
    append_prompt(ui);
    if (ui->is_ringing && ui->model->settings.bell != false && !ui->setup.lines.is_piped) {
        append_terminal_output(ui, "\a");
    }
    ui->is_ringing = false;
    if (bytes_add(out, plain->shown.at, plain->shown.len)) {
        bytes_drop_first(&plain->shown, plain->shown.len);
    }
}

/* Prints in plain mode that the house is away, and that it is back. */
static void tell_absence(struct ui *ui)
{
    bool is_away = ui_away_notice_at_ms(ui) <= ui->now_ms;
    if (ui->plain.is_on && is_away != ui->plain.is_away_told) {
        lines_put(screen_get_plain_lines(ui), is_away ? _(UI_AWAY_TEXT) : _("The house is back."));
        ui->plain.is_away_told = is_away;
    }
}

/* Prints a new chat line if it belongs to the open chat: at a table, the table's chat and direct
 * messages. Older lines are printed only by /chat. */
static void plain_print_chat_line(struct ui *ui, const json_t *message)
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
    const struct chat_line *line = &log->lines[log->count - 1];
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
    (void)ui_take_typed_bytes(ui, (const uint8_t *)typed->at, len);
    explicit_bzero(typed->at, len);
    bytes_drop_first(typed, len);
    ui->plain.line_ms = ui->now_ms;
}

/* True if the top screen can be closed: it takes no input, is printed, and waits for no answer. */
static bool may_close_top_screen(struct ui *ui)
{
    const struct ui_layer *layer = ui_top_layer(ui);
    return ui->depth > 1 && layer->is_printed && layer->screen->line == NULL &&
           !ui->question.is_open &&
           ui_get_oldest_request_sent_at_ms(ui, layer->serial) == INT64_MAX;
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

/* Returns the time when plain mode will have something to do even without an event; INT64_MAX:
 * never. */
static int64_t plain_next_event_at_ms(const struct ui *ui)
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

/* Settings. */

static void use_letters(struct ui *ui, bool is_ascii)
{
    if (is_ascii != ui->theme.is_ascii && ui->display != NULL) {
        display_force_redraw(ui->display); /* a terminal without the signs shows them as garbage */
    }
    ui->theme.is_ascii = is_ascii;
    i18n_choose_letters(is_ascii);
}

/* Applies the person's settings to the display. */
static void apply_settings(struct ui *ui)
{
    const struct settings_row *settings = &ui->model->settings;
    int kind = text_find_word(theme_words, settings->theme);
    if (kind >= 0) {
        ui->theme.kind = (uint8_t)kind;
    }
    if (settings->ascii != ROW_UNSET) {
        use_letters(ui, settings->ascii || ui->setup.is_ascii);
    }
    if (settings->language[0] != '\0') {
        i18n_choose_language(settings->language); /* an unknown language changes nothing */
    }
    if (settings->timezone[0] != '\0') {
        (void)zones_use(settings->timezone); /* nor does an unknown zone */
    }
    update_plain_mode(ui);
    ui->is_dirty = true;
}

/* Stores settings with the account, if there is one. Takes over the reference to `settings`. */
static void store_settings(struct ui *ui, json_t *settings)
{
    if (ui->model->you.name[0] == '\0') {
        json_decref(settings);
        return;
    }
    ui_request(ui, "settings_set", json_pack("{s:o}", "settings", settings), NULL, 0);
}

void screen_change_settings(struct ui *ui, json_t *changes)
{
    struct settings_row *settings = &ui->model->settings;
    json_t *all = settings_row_write(settings);
    json_object_update(all, changes);
    (void)settings_row_read(all, settings);
    json_decref(all);
    apply_settings(ui);
    if (json_object_get(changes, "ascii") != NULL) {
        use_letters(ui, settings->ascii); /* even if the terminal is thought to have no others */
    }
    store_settings(ui, changes);
}

static void apply_saved_telnet_setting(struct ui *ui, const struct ui_answer *answer)
{
    ui->model->settings.is_telnet = answer->tag != 0;
    screen_inform(ui, "%s",
                  answer->tag != 0
                      ? _("Your account can be used by telnet too: others on the network "
                          "can then read your password.")
                      : _("Your account can be used by ssh only."));
}

void screen_set_telnet_permission(struct ui *ui, bool is_on)
{
    if (ui->model->you.kind == PERSON_GUEST) {
        screen_warn(ui, "%s", _("Guests may always use telnet; this setting is for accounts."));
        return;
    }
    screen_send_and_handle_success(ui, "settings_set",
                                   json_pack("{s:{s:b}}", "settings", "telnet", is_on),
                                   apply_saved_telnet_setting, is_on);
}

void screen_set_plain_mode(struct ui *ui, bool is_on)
{
    screen_change_settings(ui, json_pack("{s:b}", "plain", is_on));
    if (!is_on && ui->plain.is_on) {
        screen_inform(
            ui, "%s",
            _("This terminal can show plain lines only; other terminals will show drawn screens."));
    }
}

void screen_adopt_new_account(struct ui *ui, const json_t *you)
{
    /* Settings chosen before sign-up are stored with the new account. */
    json_t *chosen = settings_row_write(&ui->model->settings);
    model_set_own_account(ui->model, you);
    if (json_object_size(chosen) > 0) {
        screen_change_settings(ui, chosen);
    } else {
        json_decref(chosen);
    }
    apply_settings(ui);
}

const struct model *screen_model(const struct ui *ui)
{
    return ui->model;
}

const struct theme *screen_theme(const struct ui *ui)
{
    return ui->plain.is_on ? &theme_plain : &ui->theme;
}

struct lines *screen_get_plain_lines(struct ui *ui)
{
    ui->is_dirty = true;
    return &ui->plain.lines;
}

bool screen_password_length_is_valid(const struct ui *ui, const char *password)
{
    size_t len = strlen(password);
    return len >= ui->setup.password_min && len <= ui->setup.password_max;
}

/* The session. */

static void handle_pushed_message(void *context, const char *type, const json_t *message);

/* Sets the session's clock. */
static void set_session_time(struct ui *ui, int64_t now_ms)
{
    ui_free_closed_screens(ui);
    ui->now_ms = now_ms;
}

/* Opens the sign-up screen, or the lobby. For a person who signed in with a recovery code, opens
 * the settings above the lobby, to set a new password. */
static void open_first_screen(struct ui *ui, bool is_unregistered)
{
    if (is_unregistered) {
        screen_open(ui, "sign_up", 0);
        return;
    }
    screen_return_to_lobby(ui);
    if (ui->model->you.is_recovered) {
        screen_open(ui, "settings", 1);
    }
}

struct ui *ui_new(const struct ui_setup *setup)
{
    struct ui *ui = must_allocate(sizeof *ui);
    ui->setup = *setup;
    ui->now_ms = setup->now_ms;
    ui->setup.password_min = setup->password_min != 0 ? setup->password_min : 10;
    ui->setup.password_max = setup->password_max != 0 ? setup->password_max : 128;
    ui->theme.is_ascii = setup->is_ascii;
    ui->model = model_new();
    init_plain(&ui->plain);
    ui->display = setup->lines.is_on
                      ? NULL
                      : display_start(setup->prepared, setup->term, setup->columns, setup->rows);
    if (ui->display == NULL && !setup->lines.is_on) {
        ui_free(ui);
        return NULL;
    }
    if (ui->display != NULL) {
        ui->theme.has_colour = ui->display->has_colour;
        ui->theme.is_ascii = setup->is_ascii || strncmp(ui->display->name, "vt", 2) == 0;
    }
    i18n_choose_letters(ui->theme.is_ascii);
    if (ui->display != NULL && ui->setup.is_telnet) {
        display_avoid_carriage_returns(ui->display);
    }
    ui->plain.since_ms = clock_unix_ms();
    update_plain_mode(ui);
    snprintf(ui->model->house, sizeof ui->model->house, "%s",
             setup->house != NULL ? setup->house : "Trickhouse");
    if (setup->you != NULL) {
        model_set_own_account(ui->model, setup->you);
        apply_settings(ui);
    }
    client_set_push_receiver(ui->setup.client, handle_pushed_message, ui);
    open_first_screen(ui, setup->is_unregistered);
    if (ui->display != NULL && ui->display->is_fallback) {
        screen_inform(ui, _("Unknown terminal \"%.24s\": drawing for %s."),
                      setup->term != NULL ? setup->term : "", ui->display->name);
        ui->is_notice_of_house = true;
    }
    ui->awaits_state = !setup->is_unregistered && !ui->plain.is_on;
    ui->is_dirty = true;
    ui->is_urgent = true;
    return ui;
}

void ui_free(struct ui *ui)
{
    if (ui == NULL) {
        return;
    }
    if (ui->depth > 0) {
        client_set_push_receiver(ui->setup.client, NULL, NULL);
    }
    ui_clear_stack(ui);
    clear_plain(&ui->plain);
    display_free(ui->display);
    model_free(ui->model);
    input_clear(&ui->input);
    json_decref(ui->watched);
    free(ui);
}

/* The rows arrive before the answer. */
static void note_arrived_rows(struct ui *ui, UNUSED const struct ui_answer *answer)
{
    ui->awaits_rows = false;
}

/* Tells the core which rows of the lobby the top screen shows, if that has changed. Called after
 * each frame. */
static void watch_lobby(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    bool shows_rows = layer->screen->lobby_query != NULL && ui->display != NULL &&
                      !ui->plain.is_on && ui->model->you.name[0] != '\0';
    json_t *fields = shows_rows ? layer->screen->lobby_query(ui, layer->state) : NULL;
    if (fields == NULL ? ui->watched == NULL : json_equal(fields, ui->watched)) {
        json_decref(fields);
        return;
    }
    json_decref(ui->watched);
    ui->watched = json_deep_copy(fields); /* the client adds to the fields that it sends */
    ui->awaits_rows = fields != NULL;
    ui_request(ui, "lobby_watch", fields == NULL ? json_object() : fields, note_arrived_rows, 0);
}

static void pass_pushed_message_to_screen(struct ui *ui, const struct ui_layer *layer,
                                          const char *type, const json_t *message)
{
    const struct screen_push *push = layer->screen->pushes;
    for (; push != NULL && push->type != NULL; push++) {
        if (strcmp(push->type, type) == 0) {
            uint32_t before = ui_set_running_screen(ui, layer->serial);
            push->take(ui, layer->state, message);
            (void)ui_set_running_screen(ui, before);
            return;
        }
    }
}

/* Changes what a message changes in the session itself. */
static void apply_pushed_message(struct ui *ui, const char *type, const json_t *message)
{
    enum {
        PUSH_BYE,
        PUSH_CHAT,
        PUSH_LOBBY,
        PUSH_MINE,
        PUSH_WELCOME
    };
    static const char *const types[] = {
        [PUSH_BYE] = "bye",   [PUSH_CHAT] = "chat",       [PUSH_LOBBY] = "lobby",
        [PUSH_MINE] = "mine", [PUSH_WELCOME] = "welcome", NULL};
    int push = text_find_word(types, type);
    ui->is_done = ui->is_done || push == PUSH_BYE;
    ui->plain.has_house = ui->plain.has_house || push == PUSH_MINE;
    if (push == PUSH_LOBBY && ui->awaits_rows) {
        ui->is_urgent = true; /* rows for which the screen waits are drawn at once */
    } else if (push == PUSH_CHAT) {
        plain_print_chat_line(ui, message);
    } else if (push == PUSH_WELCOME) {
        apply_settings(ui);
        json_decref(ui->watched); /* the core has forgotten it: the next frame tells it again */
        ui->watched = NULL;
    }
}

static void handle_pushed_message(void *context, const char *type, const json_t *message)
{
    struct ui *ui = context;
    ui_free_closed_screens(ui);
    model_apply_pushed_message(ui->model, type, message, ui->now_ms);
    ui->is_dirty = true;
    tell_absence(ui);
    apply_pushed_message(ui, type, message);
    ui_report_pushed_message(ui, type, message);
    for (int i = 0; i < ui->depth; i++) {
        struct ui_layer layer = ui->stack[i];
        pass_pushed_message_to_screen(ui, &layer, type, message);
    }
    if (ui->awaits_state && strcmp(type, "mine") == 0) {
        ui->awaits_state = false;
        watch_lobby(ui); /* so that the first frame has the rows already */
    }
    ui_plain_carry_out_lines(ui);
}

void ui_handle_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
{
    set_session_time(ui, now_ms);
    if (!ui->plain.is_on || len == 0) {
        if (!ui_take_typed_bytes(ui, bytes, len)) {
            return;
        }
    } else if (!bytes_add(&ui->plain.typed, bytes, len)) {
        screen_warn(ui, "%s", _("Too much input at once: some of it is lost."));
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
    ui_plain_carry_out_lines(ui);
}

int64_t ui_keys_due_ms(const struct ui *ui)
{
    return key_parser_due_ms(&ui->keys);
}

void ui_resize(struct ui *ui, int columns, int rows)
{
    ui->setup.columns = columns;
    if (ui->display != NULL) {
        display_resize(ui->display, columns, rows);
    }
    ui->is_dirty = true;
    ui->is_urgent = true;
}

/* Returns the earlier of two times at which the screen changes by itself. Ignores changes that the
 * last frame already shows. */
static int64_t choose_earlier_unpainted_change(const struct ui *ui, int64_t time_ms,
                                               int64_t other_ms)
{
    return other_ms > ui->painted_ms && other_ms < time_ms ? other_ms : time_ms;
}

/* Returns when the screen will next change without input or a message from the core. */
static int64_t compute_next_change_at_ms(const struct ui *ui)
{
    const struct ui_layer *layer = &ui->stack[ui->depth - 1];
    int64_t since_ms = ui_get_oldest_request_sent_at_ms(ui, 0);
    int64_t wake = choose_earlier_unpainted_change(ui, INT64_MAX, ui_away_notice_at_ms(ui));
    if (ui->plain.is_on) {
        return choose_earlier_unpainted_change(ui, wake, plain_next_event_at_ms(ui));
    }
    wake = choose_earlier_unpainted_change(ui, wake, ui->notice_end_ms);
    if (layer->screen->next_ms != NULL) {
        wake = choose_earlier_unpainted_change(ui, wake, layer->screen->next_ms(ui, layer->state));
    }
    return since_ms != INT64_MAX ? choose_earlier_unpainted_change(ui, wake, since_ms + UI_LATE_MS)
                                 : wake;
}

void ui_tick(struct ui *ui, int64_t now_ms)
{
    /* The next change is computed before the time advances, because it depends on what the clocks
     * show now. */
    if (compute_next_change_at_ms(ui) <= now_ms) {
        ui->is_dirty = true;
    }
    set_session_time(ui, now_ms);
    tell_absence(ui);
    ui_plain_carry_out_lines(ui);
}

int ui_poll_timeout_ms(const struct ui *ui, int64_t now_ms)
{
    int64_t wait = INT64_MAX;
    if (ui->is_dirty) {
        wait = ui->is_urgent ? 0 : ui->painted_ms + UI_FRAME_MS - now_ms;
    } else if (compute_next_change_at_ms(ui) != INT64_MAX) {
        wait = compute_next_change_at_ms(ui) - now_ms;
    }
    if (wait == INT64_MAX) {
        return -1;
    }
    return wait < 0 ? 0 : wait > INT32_MAX ? INT32_MAX : (int)wait;
}

bool ui_awaits_first_content(const struct ui *ui)
{
    /* once one's own tables have arrived, the top screen asks for what it shows */
    return ui->awaits_state || ui_get_oldest_request_sent_at_ms(ui, 0) != INT64_MAX;
}

bool ui_wants_paint(const struct ui *ui, int64_t now_ms)
{
    return ui->is_dirty &&
           (ui->is_urgent || now_ms - ui->painted_ms >= UI_FRAME_MS || now_ms < ui->painted_ms);
}

/* Appends the window's title and the bell to the bytes of a frame, so that they reach the terminal
 * together with the change that caused them. */
static void append_title_and_bell(struct ui *ui, struct bytes *out)
{
    char title[sizeof ui->title];
    bool is_turn = ui->turns > 0 || ui->was_to_act;
    snprintf(title, sizeof title, is_turn ? _("* your turn: %s") : "%s", ui->model->house);
    if (strcmp(title, ui->title) != 0) {
        snprintf(ui->title, sizeof ui->title, "%s", title);
        display_set_title(ui->display, title, out);
    }
    if (ui->is_ringing && ui->model->settings.bell != false) {
        bool is_rung = bytes_add(out, "\a", 1);
        (void)is_rung; /* a lost bell does no harm */
    }
    ui->is_ringing = false;
}

/* Tells the person that the window is too small, in a text that fits the smallest terminal. */
static void draw_window_too_small(struct ui *ui, const struct canvas *canvas)
{
    int row = canvas->body.height / 2 - 1, width = canvas->body.width;
    char size[64];
    draw_text_centred(canvas, row, 0, width, STYLE_STRONG, _("Window too small"));
    int columns = ui->display->columns, rows = ui->display->rows;
    /* The caller of ui_new has raised the size to the minimum, so the real terminal may be even
     * smaller. */
    bool is_smallest = columns <= UI_COLUMNS_LEAST || rows <= UI_ROWS_LEAST;
    snprintf(size, sizeof size, is_smallest ? _("size: at most %dx%d") : _("size: %dx%d"), columns,
             rows);
    draw_text_centred(canvas, row + 1, 0, width, STYLE_PLAIN, size);
    snprintf(size, sizeof size, _("need %dx%d"), DISPLAY_COLUMNS_MIN, DISPLAY_ROWS_MIN);
    draw_text_centred(canvas, row + 2, 0, width, STYLE_PLAIN, size);
}

static void paint_frame(struct ui *ui, struct bytes *out)
{
    int rows = ui->display->rows, columns = ui->display->columns;
    int cursor_row = 0, cursor_column = 0;
    struct canvas canvas = {
        display_begin_frame(ui->display, &ui->theme), &ui->theme, {0, 0, rows, columns}};
    if (ui->notice_end_ms > 0 && ui->notice_end_ms <= ui->now_ms) {
        ui->notice_end_ms = 0;
    }
    if (rows < DISPLAY_ROWS_MIN || columns < DISPLAY_COLUMNS_MIN) {
        draw_window_too_small(ui, &canvas);
        ui->painted_serial = 0;
    } else {
        canvas.body = screen_body(ui);
        struct ui_layer *layer = ui_top_layer(ui);
        layer->screen->draw(ui, layer->state, &canvas);
        ui->painted_serial = layer->serial;
        ui_draw_bottom_rows(ui, &canvas, &cursor_row, &cursor_column);
    }
    ui->is_notice_painted = true;
    ui->plain.was_drawn = true;
    ui->is_dirty = !display_end_frame(ui->display, cursor_row, cursor_column, out);
    append_title_and_bell(ui, out);
    watch_lobby(ui);
}

void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out)
{
    set_session_time(ui, now_ms);
    if (ui->plain.is_on) {
        ui->is_dirty = false;
        append_plain_output(ui, out);
    } else {
        paint_frame(ui, out);
    }
    ui->painted_ms = now_ms;
    ui->is_urgent = false;
}

bool ui_is_done(const struct ui *ui)
{
    return ui->is_done;
}

void ui_restore_terminal(struct ui *ui, struct bytes *out)
{
    char line[MODEL_TEXT_MAX * 2];
    if (ui->model->is_over) {
        snprintf(line, sizeof line, "%s", ui->model->bye);
    } else if (ui->model->you.name[0] != '\0') {
        snprintf(line, sizeof line, _("Goodbye, %s. %s is open whenever you are."),
                 ui->model->you.name, ui->model->house);
    } else {
        snprintf(line, sizeof line, _("Goodbye. %s is open whenever you are."), ui->model->house);
    }
    if (ui->plain.is_on) {
        ui->is_done = true; /* no prompt is printed after this line */
        lines_put(&ui->plain.lines, line);
        append_plain_output(ui, out);
        return;
    }
    const struct lines_look look = {
        .width = ui->display->columns, .is_ascii = ui->setup.is_ascii, .end = "\r\n"};
    display_set_title(ui->display, "", out);
    display_restore_terminal(ui->display, out);
    lines_clear(&ui->plain.lines);
    lines_put(&ui->plain.lines, line);
    bool is_said = lines_write(&ui->plain.lines, &look, out);
    (void)is_said; /* a failure is not reported: the session is over */
}

void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines)
{
    ui->setup.lines = *lines;
    ui->setup.lines.is_on =
        lines->is_on ||
        ui->display == NULL; /* a terminal that began in plain mode stays in plain mode */
    update_plain_mode(ui);
    ui_plain_carry_out_lines(ui);
}

void ui_leave_after_typed_lines(struct ui *ui)
{
    ui->plain.is_leaving = true;
    ui_top_layer(ui)->is_printed = true; /* a single command needs no greeting */
    ui->plain.end_ms = ui->now_ms;
}

void ui_note_end_of_input(struct ui *ui, int64_t now_ms)
{
    if (!ui->plain.is_ended) {
        ui->plain.is_ended = true;
        ui->plain.end_ms = now_ms;
        ui_tick(ui, now_ms);
    }
}

void ui_mark_lines_from_ssh_command(struct ui *ui)
{
    ui->is_exec = true;
}

bool ui_last_mod_command_succeeded(const struct ui *ui)
{
    return ui->is_order_done;
}
