#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#include <qrencode.h>
#include <stdio.h>
#include <string.h>

/* Settings: display and sound, password, telnet, webhook. Changes take effect at once. */

#define NEW_RECOVERY_CODE _("Your recovery code is used up. Write down the new one:")
#define GUEST_WORDS _("With an account, you also have a password, telnet and a webhook.")

enum row {
    ROW_THEME,
    ROW_SIGNS,
    ROW_BELL,
    ROW_LANGUAGE,
    ROW_PACE,
    ROW_PASSWORD,
    ROW_TELNET,
    ROW_WEBHOOK,
    ROW_COUNT,
};

#define PASSWORD_MAX 129

struct settings {
    struct list list;
    char old[PASSWORD_MAX];
    char chosen[PASSWORD_MAX];
};

static void erase_passwords(struct settings *settings)
{
    explicit_bzero(settings->old, sizeof settings->old);
    explicit_bzero(settings->chosen, sizeof settings->chosen);
}

static void handle_password_change_success(struct ui *ui, UNUSED const struct ui_answer *answer)
{
    ui->model->you.has_password = true;
    ui->model->you.is_recovered = false;
    screen_inform(ui, "%s", _("The new password is set."));
}

static void check_repeated_password_and_send(struct ui *ui, void *state, const char *text)
{
    struct settings *settings = state;
    if (text == NULL || strcmp(text, settings->chosen) != 0) {
        screen_warn(ui, "%s",
                    text == NULL ? _("The password stays as it was.")
                                 : _("The passwords differ: the password stays as it was."));
        erase_passwords(settings);
        return;
    }
    json_t *fields = json_pack("{s:s}", "password", settings->chosen);
    if (settings->old[0] != '\0') {
        json_object_set_new(fields, "old", json_string(settings->old));
    }
    screen_send_and_handle_success(ui, "password_set", fields, handle_password_change_success, 0);
    erase_passwords(settings);
}

static void handle_typed_new_password(struct ui *ui, void *state, const char *text)
{
    struct settings *settings = state;
    if (text == NULL) {
        erase_passwords(settings);
        return;
    }
    if (!screen_password_length_is_valid(ui, text)) {
        screen_ask(ui, ASK_SECRET, _("New password:"), NULL, handle_typed_new_password);
        screen_warn_of_password_length(ui);
        return;
    }
    snprintf(settings->chosen, sizeof settings->chosen, "%s", text);
    screen_ask(ui, ASK_SECRET, _("The same password once more:"), NULL,
               check_repeated_password_and_send);
}

static void handle_typed_old_password(struct ui *ui, void *state, const char *text)
{
    struct settings *settings = state;
    if (text == NULL) {
        return;
    }
    snprintf(settings->old, sizeof settings->old, "%.128s", text);
    screen_ask(ui, ASK_SECRET, _("New password:"), NULL, handle_typed_new_password);
}

static void ask_for_password_change(struct ui *ui)
{
    if (screen_model(ui)->you.kind == PERSON_GUEST) {
        screen_warn(ui, "%s", _("Guests have no password: sign in with a name of your own."));
    } else if (ui->setup.is_telnet) {
        screen_warn(ui, "%s", _("Telnet would show your password to others: change it over ssh."));
    } else if (screen_model(ui)->you.has_password && !screen_model(ui)->you.is_recovered) {
        screen_ask(ui, ASK_SECRET, _("Current password:"), NULL, handle_typed_old_password);
    } else {
        screen_ask(ui, ASK_SECRET, _("New password:"), NULL, handle_typed_new_password);
    }
}

static void enter_settings(struct ui *ui, void *state, int64_t argument)
{
    struct settings *settings = state;
    if (argument == 1) {
        settings->list.selected = ROW_PASSWORD;
        ask_for_password_change(ui);
    }
}

static void leave_settings(UNUSED struct ui *ui, void *state)
{
    erase_passwords(state);
}

static const char *get_theme_title(const struct theme *theme)
{
    static const char *const titles[THEME_KINDS] = {
        [THEME_COLOUR] = N_("colour"),
        [THEME_MONO] = N_("no colours"),
        [THEME_CONTRAST] = N_("high contrast"),
    };
    bool is_invisible = theme->kind == THEME_COLOUR && !theme->has_colour;
    return is_invisible ? _("colour (this terminal shows none)") : _(titles[theme->kind]);
}

/* Returns the number of rows on the settings screen. Guests have fewer, because they have no
 * account and no password. */
static int count_setting_rows(const struct ui *ui)
{
    return screen_model(ui)->you.kind == PERSON_GUEST ? ROW_PASSWORD : ROW_COUNT;
}

static const char *get_text_of_setting(struct ui *ui, enum row row)
{
    const struct theme *theme = &ui->theme;
    switch (row) {
    case ROW_THEME:
        return get_theme_title(theme);
    case ROW_SIGNS:
        return theme->is_ascii ? _("letters, for terminals without suit signs")
                               : _("suit signs and lines");
    case ROW_BELL:
        return screen_model(ui)->settings.bell != false ? _("rings on your turn") : _("silent");
    case ROW_LANGUAGE:
        return i18n_titles[i18n_chosen_language()];
    case ROW_PACE:
        return option_describe_own_pace((enum pace)screen_model(ui)->settings.pace);
    case ROW_TELNET:
        return screen_model(ui)->settings.is_telnet ? _("allowed for your account too, unencrypted")
                                                    : _("not allowed: your account uses ssh only");
    case ROW_WEBHOOK:
        return _("/webhook: calls an address on your turn");
    case ROW_PASSWORD:
    case ROW_COUNT:
        break;
    }
    return screen_model(ui)->you.has_password ? _("set; Enter changes it")
                                              : _("none yet: choose one");
}

/* Draws a sample of the theme: the four suits and some styles. */
static void draw_theme_sample(const struct canvas *canvas, int row, int column)
{
    struct text out = TEXT_OF(256);
    bool is_ascii = canvas->theme->is_ascii;
    draw_put_styled(&out, STYLE_CARD, is_ascii ? "AS" : "A♠");
    text_put(&out, "  ");
    draw_put_styled(&out, (enum style)(STYLE_TINT + 1), is_ascii ? "KH" : "K♥");
    text_put(&out, "  ");
    draw_put_styled(&out, (enum style)(STYLE_TINT + 1), is_ascii ? "QD" : "Q♦");
    text_put(&out, "  ");
    draw_put_styled(&out, STYLE_CARD, is_ascii ? "JC" : "J♣");
    text_put(&out, "   ");
    draw_put_styled(&out, STYLE_TURN, _("your turn"));
    text_put(&out, "   ");
    draw_put_styled(&out, STYLE_DIM, _("not now"));
    text_put(&out, "   ");
    draw_put_styled(&out, STYLE_WARN, _("must follow"));
    draw_text(canvas, row, column, canvas->body.width - column, STYLE_PLAIN, out.at);
}

static void draw_settings(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct settings *settings = state;
    const char *const titles[ROW_COUNT] = {_("Colours"),  _("Suit signs"), _("Bell"),
                                           _("Language"), _("Pace"),       _("Password"),
                                           _("Telnet"),   _("Webhook")};
    list_set_size(&settings->list, count_setting_rows(ui), count_setting_rows(ui));
    draw_header(canvas, _("Settings"), screen_model(ui)->you.name);
    for (int i = 0; i < count_setting_rows(ui); i++) {
        int row = canvas->body.row + 2 + i;
        bool is_selected = i == settings->list.selected;
        draw_text(canvas, row, 2, 1, STYLE_KEY, is_selected ? ">" : " ");
        draw_text(canvas, row, 4, 14, is_selected ? STYLE_STRONG : STYLE_PLAIN, titles[i]);
        struct area value = {row, 18, 1, 46};
        if (is_selected) {
            draw_filled_area(canvas, &value, STYLE_SELECTED);
        }
        draw_text(canvas, row, 19, 44, is_selected ? STYLE_SELECTED : STYLE_PLAIN,
                  get_text_of_setting(ui, (enum row)i));
    }
    int row = canvas->body.row + 2 + count_setting_rows(ui) + 1;
    draw_text(canvas, row, 4, 14, STYLE_PLAIN, _("Sample"));
    draw_theme_sample(canvas, row, 19);
    if (screen_model(ui)->you.kind == PERSON_GUEST) {
        draw_text(canvas, row + 2, 4, canvas->body.width - 5, STYLE_DIM, GUEST_WORDS);
    }
    if (screen_model(ui)->recovery_replaces_used) {
        draw_text(canvas, row + 2, 4, canvas->body.width - 5, STYLE_NOTICE, NEW_RECOVERY_CODE);
        draw_text(canvas, row + 3, 6, canvas->body.width - 7, STYLE_STRONG,
                  screen_model(ui)->you.recovery);
    }
}

/* Changes a setting to its next value (step 1) or its previous one (step -1). */
static void change_setting(struct ui *ui, enum row row, int step)
{
    const struct settings_row *settings = &screen_model(ui)->settings;
    int languages = (int)i18n_count_languages();
    int language = ((int)i18n_chosen_language() + step + languages) % languages;
    int kind = (ui->theme.kind + step + THEME_KINDS) % THEME_KINDS;
    enum pace pace = option_next_pace((enum pace)settings->pace, step);
    switch (row) {
    case ROW_THEME:
        screen_change_settings(ui, json_pack("{s:s}", "theme", theme_words[kind]));
        return;
    case ROW_SIGNS:
        screen_change_settings(ui, json_pack("{s:b}", "ascii", !ui->theme.is_ascii));
        return;
    case ROW_BELL:
        screen_change_settings(ui, json_pack("{s:b}", "bell", settings->bell == false));
        return;
    case ROW_LANGUAGE:
        screen_change_settings(ui, json_pack("{s:s}", "language", i18n_tags[language]));
        return;
    case ROW_PACE:
        screen_change_settings(ui,
                               json_pack("{s:s}", "pace", row_word_of_value(&pace_words, pace)));
        return;
    case ROW_PASSWORD:
        ask_for_password_change(ui);
        return;
    case ROW_TELNET:
        screen_set_telnet_permission(ui, !settings->is_telnet);
        return;
    case ROW_WEBHOOK:
        command_run(ui, "/webhook");
        return;
    case ROW_COUNT:
        return;
    }
}

static bool handle_settings_key(struct ui *ui, void *state, const struct press *press)
{
    struct settings *settings = state;
    enum row row = (enum row)settings->list.selected;
    switch ((int)press->kind) {
    case PRESS_LEFT:
        change_setting(ui, row, -1);
        return true;
    case PRESS_RIGHT:
    case PRESS_ENTER:
        change_setting(ui, row, 1);
        return true;
    case PRESS_CLICK:
        if (press->row >= 2 && press->row < 2 + count_setting_rows(ui)) {
            settings->list.selected = press->row - 2;
            change_setting(ui, (enum row)settings->list.selected, 1);
        }
        return true;
    default:
        break;
    }
    if (press->kind == PRESS_CHAR && press->code == ' ') {
        change_setting(ui, row, 1);
        return true;
    }
    return list_handle_key(&settings->list, press);
}

static bool print_settings(struct ui *ui, void *state, struct lines *lines)
{
    const struct settings *settings = state;
    const struct you_row *you = &screen_model(ui)->you;
    if (screen_model(ui)->recovery_replaces_used) {
        lines_put(lines, NEW_RECOVERY_CODE);
        lines_put(lines, you->recovery);
    }
    if (settings->list.selected == ROW_PASSWORD) {
        return true; /* plain mode prints the questions about passwords when it asks them */
    }
    lines_format(lines, _("Plain lines: %s. /plain on, /plain off."),
                 ui->plain.is_on ? _("on") : _("off"));
    lines_format(lines, _("Bell: %s. /bell on, /bell off."), get_text_of_setting(ui, ROW_BELL));
    lines_format(lines, _("Language: %s. /language."), get_text_of_setting(ui, ROW_LANGUAGE));
    lines_format(lines, _("Pace of drawn screens: %s. /pace me slow."),
                 get_text_of_setting(ui, ROW_PACE));
    if (you->kind == PERSON_GUEST) {
        lines_put(lines, GUEST_WORDS);
    } else {
        lines_format(lines, _("Password: %s. /password."),
                     you->has_password ? _("you have one") : _("none yet"));
        lines_format(lines, _("Telnet: %s. /telnet on, /telnet off."),
                     get_text_of_setting(ui, ROW_TELNET));
        lines_put(lines, _("Webhook: an address that the house calls on your turn. /webhook."));
    }
    lines_format(lines, _("On drawn screens: %s (/theme); %s (/ascii)."),
                 get_text_of_setting(ui, ROW_THEME), get_text_of_setting(ui, ROW_SIGNS));
    return true;
}

static const struct screen_key settings_keys[] = {
    {"Enter", N_("change the selected setting (also with left and right)"),
     "/theme /ascii /bell /language /pace /password /webhook", N_("change")},
    {"↑ ↓", NULL, NULL, N_("choose")},
    {NULL, NULL, NULL, NULL},
};

const struct screen settings_screen = {
    .name = "settings",
    .title = N_("Settings"),
    .state_size = sizeof(struct settings),
    .keys = settings_keys,
    .enter = enter_settings,
    .leave = leave_settings,
    .draw = draw_settings,
    .key = handle_settings_key,
    .print = print_settings,
};

/* The screen that sets up an authenticator: shows its secret as a QR code and in letters, and asks
 * for the first code. */

#define GROUP 4 /* letters in each group of the secret */
#define URI_MAX 600
/* The width of the light margin, in modules (the squares of a QR code). The standard requires four,
 * which may not fit the screen; cameras can read a code with two. */
#define MARGIN 2
#define SIDE_MAX 177

struct totp {
    char secret[64];
    char uri[URI_MAX];
    QRcode *qr; /* the QR code of the secret; NULL if it cannot be drawn */
};

/* Overwrites the secret in the QR code, and frees it. */
static void forget_qr_code(struct totp *totp)
{
    if (totp->qr != NULL) {
        explicit_bzero(totp->qr->data, (size_t)totp->qr->width * (size_t)totp->qr->width);
        QRcode_free(totp->qr);
    }
}

/* The size of the QR code on the screen, including its light margin. One character shows two
 * modules, one above the other. */
static int count_qr_columns(const QRcode *qr)
{
    return qr->width + 2 * MARGIN;
}

static int count_qr_rows(const QRcode *qr)
{
    return (count_qr_columns(qr) + 1) / 2;
}

/* True if the module at that row and column is light, as all modules outside the code are. */
static bool is_light_module(const QRcode *qr, int row, int column)
{
    int y = row - MARGIN, x = column - MARGIN;
    bool is_inside = y >= 0 && x >= 0 && y < qr->width && x < qr->width;
    return is_inside ? (qr->data[y * qr->width + x] & 1) == 0 : row < count_qr_columns(qr);
}

/* Draws the QR code for a phone's camera, with its upper left corner at `row`, `column`. Light
 * modules are drawn as blocks on the dark background. ASCII mode cannot draw it. */
static void draw_qr_code(const QRcode *qr, const struct canvas *canvas, int row, int column)
{
    static const char *const halves[] = {" ", "▄", "▀", "█"};
    char line[(SIDE_MAX + 2 * MARGIN) * 3 + 1];
    struct theme white_on_black = *canvas->theme;
    white_on_black.kind = THEME_CONTRAST; /* the high-contrast theme draws on black, because the
                                             terminal's own colours may be inverted */
    const struct canvas sure = {canvas->frame, &white_on_black, canvas->body};
    for (int i = 0; i < count_qr_rows(qr); i++) {
        struct text out = text_init(line, sizeof line);
        for (int x = 0; x < count_qr_columns(qr); x++) {
            text_put(&out, halves[(is_light_module(qr, 2 * i, x) ? 2 : 0) +
                                  is_light_module(qr, 2 * i + 1, x)]);
        }
        draw_text(&sure, row + i, column, count_qr_columns(qr), STYLE_PLAIN, line);
    }
}

static void handle_typed_code(struct ui *ui, void *state, const char *text);

static void ask_for_authenticator_code(struct ui *ui)
{
    screen_ask(ui, ASK_WORDS, _("The code that the authenticator shows:"), NULL, handle_typed_code);
}

static void handle_confirmation_answer(struct ui *ui, const struct ui_answer *answer)
{
    if (answer->is_ok) {
        screen_close(ui);
        screen_inform(ui, "%s", _("From now on, the authenticator's codes confirm who you are."));
    } else if (strcmp(answer->code, "denied") == 0 || strcmp(answer->code, "wait") == 0) {
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

static void handle_new_secret_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct totp *totp = answer->state;
    if (!answer->is_ok) {
        screen_close(ui);
        screen_warn_of_refusal(ui, answer);
        return;
    }
    model_get_text(answer->json, "secret", totp->secret, sizeof totp->secret);
    model_get_text(answer->json, "uri", totp->uri, sizeof totp->uri);
    forget_qr_code(totp);
    totp->qr = QRcode_encodeString8bit(totp->uri, 0, QR_ECLEVEL_L);
    ask_for_authenticator_code(ui);
}

static void enter_totp(struct ui *ui, UNUSED void *state, UNUSED int64_t argument)
{
    screen_send_request(ui, "totp_begin", NULL, handle_new_secret_answer, 0);
}

static void leave_totp(UNUSED struct ui *ui, void *state)
{
    struct totp *totp = state;
    forget_qr_code(totp);
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
                       count_qr_rows(totp->qr) < body->height &&
                       count_qr_columns(totp->qr) + 30 <= body->width;
    struct area words = {body->row + 2, 2, body->height - 2, body->width - 4};
    if (has_qr_code) {
        draw_qr_code(totp->qr, canvas, body->row + 1, 1);
        words.column = count_qr_columns(totp->qr) + 3;
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
