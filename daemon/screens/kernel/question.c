#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void ui_answer_question(struct ui *ui, const char *text)
{
    if (!ui->question.is_open) {
        return;
    }
    struct ui_question question = ui->question;
    char answer[INPUT_MAX] = "";
    if (text != NULL) {
        snprintf(answer, sizeof answer, "%s", text);
    }
    ui->question.is_open = false;
    explicit_bzero(ui->input.text, sizeof ui->input.text); /* the text may have been a password */
    input_set_text(&ui->input, "");
    ui->is_typing = false;
    struct ui_layer *layer = ui_find_layer(ui, question.serial);
    if (layer != NULL) {
        uint32_t before = ui_set_running_screen(ui, question.serial);
        question.reply(ui, layer->state, text != NULL ? answer : NULL);
        (void)ui_set_running_screen(ui, before);
    }
    explicit_bzero(answer, sizeof answer);
}

void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial_text,
                screen_reply *reply)
{
    ui_answer_question(ui, NULL);
    ui->question = (struct ui_question){
        .is_open = true, .kind = kind, .reply = reply, .serial = ui_running_screen_serial(ui)};
    snprintf(ui->question.text, sizeof ui->question.text, "%s", question);
    input_set_text(&ui->input, initial_text != NULL ? initial_text : "");
    ui->notice_end_ms = 0;
    ui->is_dirty = true;
    if (ui->plain.is_on && kind != ASK_KEYS) {
        ui_plain_print_question(ui);
    }
}

void screen_ask_about(struct ui *ui, const char *question, const char *about, screen_reply *reply)
{
    snprintf(ui->asked_about, sizeof ui->asked_about, "%s", about);
    screen_ask(ui, ASK_SURE, question, NULL, reply);
}

const char *screen_asked_about(const struct ui *ui)
{
    return ui->asked_about;
}

void screen_ask_for_key(struct ui *ui, const char *question, const struct ask_key *keys,
                        screen_reply *reply)
{
    screen_ask(ui, ASK_KEYS, question, NULL, reply);
    ui->question.keys = keys;
    if (ui->plain.is_on) {
        ui_plain_print_question(ui);
    }
}

bool screen_may_ask(const struct ui *ui)
{
    return !ui->question.is_open && !ui->is_typing && ui->input.text[0] == '\0';
}

void screen_close_question(struct ui *ui, screen_reply *reply)
{
    if (ui->question.is_open && ui->question.reply == reply) {
        ui_answer_question(ui, NULL);
        ui->is_dirty = true;
    }
}

bool ui_answer_question_by_key(struct ui *ui, const char *text)
{
    for (const struct ask_key *key = ui->question.keys; key->key != NULL; key++) {
        if (strcasecmp(text, key->key) == 0) {
            ui_answer_question(ui, key->key);
            return true;
        }
    }
    return false;
}

static void quit_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    ui->is_done = ui->is_done || answer != NULL;
}

/* Asks before leaving a running game that needs the person; false if there is none. */
static bool ask_before_leaving_game(struct ui *ui)
{
    for (int i = 0; i < ui->model->mine_count; i++) {
        int64_t id = ui->model->mine[i].table;
        if (model_own_table_needs_presence(&ui->model->mine[i])) {
            char question[UI_QUESTION_MAX];
            snprintf(
                question, sizeof question,
                ui->model->you.kind == PERSON_GUEST
                    ? _("Your game at #%lld goes on without you: a guest cannot come back. Quit?")
                    : _("Your game at #%lld goes on without you for now. Quit?"),
                (long long)id);
            screen_ask(ui, ASK_YES, question, NULL, quit_if_confirmed);
            return true;
        }
    }
    return false;
}

void screen_quit_house(struct ui *ui)
{
    ui->is_done = ui->is_done || !ask_before_leaving_game(ui);
}

void screen_ask_before_quitting(struct ui *ui)
{
    bool is_again = ui->question.is_open && ui->question.reply == quit_if_confirmed;
    if (is_again || ui->model->you.name[0] == '\0') {
        ui->is_done = true;
    } else if (!ask_before_leaving_game(ui)) {
        screen_ask(ui, ASK_YES, _("Leave the house?"), NULL, quit_if_confirmed);
    }
}

bool ui_question_is_yes_or_no(const struct ui *ui)
{
    return ui->question.is_open && (ui->question.kind == ASK_YES || ui->question.kind == ASK_SURE);
}
