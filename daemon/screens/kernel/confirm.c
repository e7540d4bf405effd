#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

/*
 * Confirmation of the person's identity (PROTOCOL.md, step_up). The core may refuse any request
 * until the identity is confirmed. The kernel then asks for it and sends the request again:
 *
 *     request ──`step_up`──▶ question ──▶ step_up ──ok──▶ the request again
 *                               ▲            │
 *                               └──denied────┘     Esc: the refusal is shown
 */

static void ask_for_password_or_code(struct ui *ui);

void ui_forget_unconfirmed_request(struct ui *ui)
{
    json_decref(ui->unconfirmed.fields);
    ui->unconfirmed = (struct ui_request){0};
}

static bool is_confirmation_pending(const struct ui *ui)
{
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && strcmp(ui->requests[i].type, "step_up") == 0) {
            return true;
        }
    }
    return false;
}

static void handle_confirmation_answer(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                       bool is_ok, const json_t *answer)
{
    char code[32];
    model_read_text(json_object_get(answer, "code"), code, sizeof code);
    struct ui_request again = ui->unconfirmed;
    if (is_ok && again.type != NULL) {
        ui->unconfirmed = (struct ui_request){0};
        ui_send_request(ui, &again);
    } else if (is_ok) {
        long long minutes = (model_read_number(json_object_get(answer, "for_s"), 0) + 59) / 60;
        screen_inform(ui,
                      ngettext("Confirmed, for %lld minute.", "Confirmed, for %lld minutes.",
                               (unsigned long)minutes),
                      minutes);
    } else if (strcmp(code, "denied") == 0 || strcmp(code, "wait") == 0) {
        ask_for_password_or_code(ui);
        screen_warn_of_refusal(ui, answer);
    } else {
        ui_forget_unconfirmed_request(ui);
        screen_warn_of_refusal(ui, answer);
    }
}

static void cancel_unconfirmed_request(struct ui *ui)
{
    struct ui_request request = ui->unconfirmed;
    ui->unconfirmed = (struct ui_request){0};
    if (request.type != NULL) {
        json_t *answer = json_pack("{s:s, s:s}", "code", "step_up", "why",
                                   _("Not confirmed: nothing was done."));
        ui_deliver_answer(ui, &request, false, answer);
        json_decref(answer);
    }
}

bool confirm_parse_authenticator_code(const char *text, char code[CONFIRM_CODE_SIZE])
{
    size_t len = 0;
    for (; *text != '\0'; text++) {
        bool is_digit = *text >= '0' && *text <= '9';
        if (*text != ' ' && (!is_digit || len + 1 == CONFIRM_CODE_SIZE)) {
            return false;
        }
        if (is_digit) {
            code[len++] = *text;
        }
    }
    code[len] = '\0';
    return len + 1 == CONFIRM_CODE_SIZE;
}

static void send_confirmation(struct ui *ui, UNUSED void *state, const char *password_or_code)
{
    char code[CONFIRM_CODE_SIZE];
    if (password_or_code == NULL || password_or_code[0] == '\0') {
        cancel_unconfirmed_request(ui);
        return;
    }
    bool is_code =
        ui->model->you.has_totp && confirm_parse_authenticator_code(password_or_code, code);
    ui_request(ui, "step_up",
               is_code ? json_pack("{s:s}", "totp", code)
                       : json_pack("{s:s}", "password", password_or_code),
               handle_confirmation_answer, 0);
}

static void ask_for_password_or_code(struct ui *ui)
{
    const struct model_you *you = &ui->model->you;
    const char *question = !you->has_totp      ? _("Confirm it is you. Your password:")
                           : you->has_password ? _("Confirm it is you. Password or code:")
                                               : _("Confirm it is you. Your code:");
    screen_ask(ui, ASK_SECRET, question, NULL, send_confirmation);
}

void ui_retry_when_confirmed(struct ui *ui, const struct ui_request *refused_request,
                             const json_t *answer)
{
    bool is_asked = ui->question.is_open && ui->question.reply == send_confirmation;
    if (is_asked || is_confirmation_pending(ui)) {
        json_decref(refused_request->fields);
        screen_warn_of_refusal(ui, answer);
        return;
    }
    ask_for_password_or_code(ui);
    ui_forget_unconfirmed_request(ui); /* drops an earlier refused request: its screen was closed,
                                          and with it the unanswered question */
    ui->unconfirmed = *refused_request;
}

void screen_ask_to_confirm_identity(struct ui *ui)
{
    const struct model_you *you = &ui->model->you;
    if (ui->session.is_telnet) {
        screen_warn(ui, "%s",
                    _("You cannot confirm by telnet, where others can read your password: connect "
                      "by ssh."));
    } else if (!you->has_password && !you->has_totp) {
        screen_warn(ui, "%s",
                    _("You have no way to confirm it is you: set a /password or type /totp on."));
    } else {
        ask_for_password_or_code(ui);
        ui_forget_unconfirmed_request(ui);
    }
}
