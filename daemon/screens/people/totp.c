#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <string.h>

/* The screen that sets up an authenticator: shows its secret as a QR code and in letters, and asks
 * for the first code. */

#define GROUP 4 /* letters in each group of the secret */
#define URI_MAX 600

struct totp {
    char secret[64];
    char uri[URI_MAX];
    struct qr *qr; /* the QR code of the secret; NULL if it cannot be drawn */
};

static void handle_typed_code(struct ui *ui, void *state, const char *text);

static void ask_for_authenticator_code(struct ui *ui)
{
    screen_ask(ui, ASK_WORDS, _("The code that the authenticator shows:"), NULL, handle_typed_code);
}

static void handle_confirmation_answer(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                       bool is_ok, const json_t *answer)
{
    char code[32];
    model_read_text(json_object_get(answer, "code"), code, sizeof code);
    if (is_ok) {
        screen_close(ui);
        screen_inform(ui, "%s", _("From now on, the authenticator's codes confirm who you are."));
    } else if (strcmp(code, "denied") == 0 || strcmp(code, "wait") == 0) {
        ask_for_authenticator_code(ui);
        screen_warn_of_refusal(ui, answer);
    } else {
        screen_close(ui);
        screen_warn_of_refusal(ui, answer);
    }
}

static void handle_typed_code(struct ui *ui, UNUSED void *state, const char *text)
{
    char code[CONFIRM_CODE_SIZE];
    if (text == NULL) {
        screen_close(ui);
        screen_warn(ui, "%s", _("No code was typed: the secret is forgotten."));
    } else if (confirm_parse_authenticator_code(text, code)) {
        screen_send_request(ui, "totp_confirm", json_pack("{s:s}", "totp", code),
                            handle_confirmation_answer, 0);
    } else {
        ask_for_authenticator_code(ui);
        screen_warn(ui, "%s",
                    _("A code is six digits: type those that the authenticator shows now."));
    }
}

static void handle_new_secret_answer(struct ui *ui, void *state, UNUSED int64_t tag, bool is_ok,
                                     const json_t *answer)
{
    struct totp *totp = state;
    if (!is_ok) {
        screen_close(ui);
        screen_warn_of_refusal(ui, answer);
        return;
    }
    model_read_text(json_object_get(answer, "secret"), totp->secret, sizeof totp->secret);
    model_read_text(json_object_get(answer, "uri"), totp->uri, sizeof totp->uri);
    qr_free(totp->qr);
    totp->qr = qr_new(totp->uri);
    ask_for_authenticator_code(ui);
}

static void enter_totp(struct ui *ui, UNUSED void *state, UNUSED int64_t argument)
{
    screen_send_request(ui, "totp_begin", NULL, handle_new_secret_answer, 0);
}

static void leave_totp(UNUSED struct ui *ui, void *state)
{
    struct totp *totp = state;
    qr_free(totp->qr);
    explicit_bzero(totp, sizeof *totp);
}

/* Writes the secret in groups of letters, which are easier to copy. */
static void write_grouped_secret(const struct totp *totp, struct text *out)
{
    for (size_t i = 0; totp->secret[i] != '\0'; i++) {
        text_put(out, i > 0 && i % GROUP == 0 ? " " : "");
        text_put_char(out, totp->secret[i]);
    }
}

static void draw_authenticator_instructions(const struct totp *totp, const struct canvas *canvas,
                                            const struct area *area, bool has_qr_code)
{
    struct text out = TEXT_OF(2 * sizeof totp->secret);
    struct area at = *area;
    write_grouped_secret(totp, &out);
    at.row += 1 + draw_wrapped_text(
                      canvas, &at, STYLE_PLAIN,
                      has_qr_code ? _("Point your phone's authenticator here, or type this "
                                      "secret into it:")
                                  : _("Type this secret into your authenticator, or paste the "
                                      "address below:"),
                      0, 0);
    at.row += 1 + draw_wrapped_text(canvas, &at, STYLE_STRONG, out.at, 0, 0);
    if (!has_qr_code) {
        draw_text(canvas, at.row, at.column, at.width, STYLE_SYSTEM, totp->uri);
        at.row += 2;
    }
    draw_wrapped_text(canvas, &at, STYLE_PLAIN,
                      _("This secret is shown once. Type the six digits that the authenticator "
                        "shows now. Later, such a code or your password confirms who you are."),
                      0, 0);
}

static void draw_totp(struct ui *ui, void *state, const struct canvas *canvas)
{
    const struct totp *totp = state;
    const struct area *body = &canvas->body;
    draw_header(canvas, _("An authenticator"), screen_model(ui)->you.name);
    if (totp->secret[0] == '\0') {
        return;
    }
    bool has_qr_code = totp->qr != NULL && !screen_theme(ui)->is_ascii &&
                       qr_rows(totp->qr) < body->height && qr_columns(totp->qr) + 30 <= body->width;
    struct area words = {body->row + 2, 2, body->height - 2, body->width - 4};
    if (has_qr_code) {
        qr_draw(totp->qr, canvas, body->row + 1, 1);
        words.column = qr_columns(totp->qr) + 3;
        words.width = body->width - words.column - 1;
    }
    draw_authenticator_instructions(totp, canvas, &words, has_qr_code);
}

static bool print_totp(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct totp *totp = state;
    struct text out = TEXT_OF(2 * sizeof totp->secret);
    if (totp->secret[0] == '\0') {
        return false;
    }
    write_grouped_secret(totp, &out);
    lines_put(
        lines,
        _("Type this secret or the address into your authenticator; they are shown only once:"));
    lines_put(lines, out.at);
    lines_put(lines, totp->uri);
    return true;
}

const struct screen totp_screen = {
    .name = "totp",
    .title = N_("An authenticator"),
    .state_size = sizeof(struct totp),
    .enter = enter_totp,
    .leave = leave_totp,
    .draw = draw_totp,
    .print = print_totp,
};
