#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The steps of sign-up. Each step asks one question; answered questions stay on the screen. */
enum step {
    STEP_NAME, /* asks for a name, or for a code: one from /key add leads to the lobby, an
                  invitation back here */
    /* asks for a password; without one, a person who has shown an SSH key skips STEP_AGAIN */
    STEP_PASSWORD,
    STEP_AGAIN, /* asks for the same password again; if it differs, STEP_PASSWORD follows */
    STEP_ASKED, /* waits for the core, whose refusal leads back to STEP_NAME or STEP_PASSWORD */
    STEP_DONE,  /* shows the welcome to the new account */
};

#define CODE_LETTERS 8
#define NAME_BYTES_MIN 2
#define NAME_BYTES_MAX 16
#define PASSWORD_BYTES_MAX 128
#define SECRET_SHOWN_MAX 20

/* shown on one line, so the text has to fit 80 columns */
static const char code_hint[] =
    N_("Do you have a code, of an invitation or of /key add? Type it here.");

struct sign_up {
    uint8_t step; /* the current step (enum step) */
    char name[MODEL_NAME_MAX];
    char password[PASSWORD_BYTES_MAX + 1];
    char checked[MODEL_NAME_MAX]; /* the last name that was sent to the core for a check */
    bool is_checking;
    bool is_free;
    bool is_taking;           /* the name is accepted as soon as the core says that it is free */
    char why[MODEL_TEXT_MAX]; /* why the core refused the name */
};

static void ask_for_name(struct ui *ui, struct sign_up *sign_up, const char *initial_text);
static void ask_for_password(struct ui *ui, struct sign_up *sign_up);
static void request_name_check(struct ui *ui, struct sign_up *sign_up, const char *name);

/* True for a code in the form that /key add shows. Names have no capital letters, so a name is
 * never a code. */
static bool is_key_code(const char *text)
{
    size_t letters = 0;
    for (; *text != '\0'; text++) {
        if (*text >= 'A' && *text <= 'Z') {
            letters++;
        } else if (*text != '-' && *text != ' ') {
            return false;
        }
    }
    return letters == CODE_LETTERS;
}

/* Copies a typed name in small letters. If the name does not fit, the shortened copy is still
 * longer than allowed, and so still invalid. */
static void copy_lowercase_name(const char *text, char name[MODEL_NAME_MAX])
{
    snprintf(name, MODEL_NAME_MAX, "%.32s", text);
    name_to_lower(name);
}

/* Returns why the name is invalid, as far as that is known without a request; NULL if it is
 * valid. */
static const char *find_name_fault(const char *name)
{
    size_t len = strlen(name);
    if (len == 0) {
        return "";
    }
    if (name[0] < 'a' || name[0] > 'z') {
        return _("A name begins with a letter, a to z.");
    }
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != len) {
        return _("A name has only letters, digits, - and _.");
    }
    if (len < NAME_BYTES_MIN) {
        return _("A name has at least 2 characters.");
    }
    return len > NAME_BYTES_MAX ? _("A name has at most 16 characters.") : NULL;
}

static void handle_sign_up_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct sign_up *sign_up = answer->state;
    explicit_bzero(sign_up->password, sizeof sign_up->password);
    if (answer->is_ok) {
        screen_adopt_new_account(ui, json_object_get(answer->json, "you"));
        sign_up->step = STEP_DONE;
        screen_print_top_again(ui);
        return;
    }
    if (strcmp(answer->code, "password_bad") == 0) {
        ask_for_password(ui, sign_up);
    } else {
        ask_for_name(ui, sign_up, sign_up->name);
    }
    screen_warn_of_refusal(ui, answer);
}

static void send_sign_up_request(struct ui *ui, struct sign_up *sign_up)
{
    json_t *fields = json_pack("{s:s}", "name", sign_up->name);
    if (sign_up->password[0] != '\0') {
        json_object_set_new(fields, "password", json_string(sign_up->password));
    }
    sign_up->step = STEP_ASKED;
    screen_send_request(ui, "sign_up", fields, handle_sign_up_answer, 0);
}

static void check_repeated_password_and_sign_up(struct ui *ui, void *state, const char *text)
{
    struct sign_up *sign_up = state;
    if (text == NULL || strcmp(text, sign_up->password) != 0) {
        explicit_bzero(sign_up->password, sizeof sign_up->password);
        ask_for_password(ui, sign_up);
        if (text != NULL) {
            screen_warn(ui, "%s", _("The passwords differ. Choose a password again."));
        }
        return;
    }
    send_sign_up_request(ui, sign_up);
}

static void handle_typed_password(struct ui *ui, void *state, const char *text)
{
    struct sign_up *sign_up = state;
    if (text == NULL) {
        ask_for_name(ui, sign_up, sign_up->name);
        return;
    }
    size_t len = strlen(text);
    if (len == 0 && ui->setup.has_key) {
        send_sign_up_request(ui, sign_up);
        return;
    }
    if (len > PASSWORD_BYTES_MAX || !screen_password_length_is_valid(ui, text)) {
        ask_for_password(ui, sign_up);
        screen_warn_of_password_length(ui);
        return;
    }
    memcpy(sign_up->password, text, len + 1);
    sign_up->step = STEP_AGAIN;
    screen_ask(ui, ASK_SECRET, _("The same password once more:"), NULL,
               check_repeated_password_and_sign_up);
}

static void ask_for_password(struct ui *ui, struct sign_up *sign_up)
{
    sign_up->step = STEP_PASSWORD;
    screen_ask(ui, ASK_SECRET,
               ui->setup.has_key ? _("Password (Enter alone: none):") : _("Choose a password:"),
               NULL, handle_typed_password);
}

static void handle_key_code_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct sign_up *sign_up = answer->state;
    if (!answer->is_ok) {
        ask_for_name(ui, sign_up, "");
        screen_warn_of_refusal(ui, answer);
        return;
    }
    if (json_object_get(answer->json, "you") == NULL) { /* the code was an invitation */
        ask_for_name(ui, sign_up, "");
        screen_inform(ui, "%s", _("You are invited: choose a name."));
        return;
    }
    screen_adopt_new_account(ui, json_object_get(answer->json, "you"));
    screen_return_to_lobby(ui);
    screen_inform(ui, "%s", _("This machine's key opens your account from now on."));
}

static void handle_typed_name(struct ui *ui, void *state, const char *text)
{
    struct sign_up *sign_up = state;
    if (text == NULL) {
        ask_for_name(ui, sign_up, "");
        screen_inform(ui, "%s", _("Ctrl-C leaves without an account."));
        return;
    }
    if (is_key_code(text)) {
        sign_up->step = STEP_ASKED;
        screen_send_request(ui, "code_use", json_pack("{s:s}", "code", text),
                            handle_key_code_answer, 0);
        return;
    }
    char name[MODEL_NAME_MAX];
    copy_lowercase_name(text, name);
    const char *fault = find_name_fault(name);
    bool is_taken =
        strcmp(name, sign_up->checked) == 0 && !sign_up->is_checking && !sign_up->is_free;
    if (fault != NULL || is_taken) {
        ask_for_name(ui, sign_up, name);
        screen_warn(ui, "%s",
                    fault == NULL      ? sign_up->why
                    : fault[0] == '\0' ? _("Type a name first, like mira.")
                                       : fault);
        return;
    }
    snprintf(sign_up->name, sizeof sign_up->name, "%.16s", name);
    if (ui->plain.is_on && strcmp(name, sign_up->checked) != 0) {
        sign_up->step = STEP_ASKED; /* plain mode checks the name only when it is entered */
        sign_up->is_taking = true;
        request_name_check(ui, sign_up, sign_up->name);
        return;
    }
    ask_for_password(ui, sign_up);
}

static void ask_for_name(struct ui *ui, struct sign_up *sign_up, const char *initial_text)
{
    sign_up->step = STEP_NAME;
    screen_ask(ui, ASK_WORDS, _("Choose a name:"), initial_text, handle_typed_name);
}

static void enter_sign_up(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct sign_up *sign_up = state;
    if (ui->plain.is_on) {
        struct lines *lines = screen_get_plain_lines(ui);
        lines_format(lines,
                     _("%s: a house of card games. You are new here: choose a name of 2 to 16 "
                       "letters, digits, - and _. /quit leaves without one."),
                     screen_model(ui)->house);
        lines_put(lines, _(code_hint));
    }
    if (ui->setup.suggested_name != NULL) {
        snprintf(sign_up->name, sizeof sign_up->name, "%s", ui->setup.suggested_name);
    }
    ask_for_name(ui, sign_up, sign_up->name);
}

static void leave_sign_up(UNUSED struct ui *ui, void *state)
{
    struct sign_up *sign_up = state;
    explicit_bzero(sign_up, sizeof *sign_up);
}

static void handle_name_check_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct sign_up *sign_up = answer->state;
    bool is_taking = sign_up->is_taking;
    sign_up->is_taking = false;
    sign_up->is_checking = false;
    sign_up->is_free = answer->is_ok;
    model_read_sentence(answer->json, "why", sign_up->why, sizeof sign_up->why);
    if (is_taking && answer->is_ok) {
        ask_for_password(ui, sign_up);
    } else if (is_taking) {
        screen_warn(ui, "%s", sign_up->why);
        ask_for_name(ui, sign_up, "");
    }
}

/* Asks the core whether the typed name is free, one request at a time. If the name changes before
 * the answer, the changed name is checked when the next frame is drawn. */
static void request_name_check(struct ui *ui, struct sign_up *sign_up, const char *text)
{
    char name[MODEL_NAME_MAX];
    copy_lowercase_name(text, name);
    if (sign_up->is_checking || find_name_fault(name) != NULL ||
        strcmp(name, sign_up->checked) == 0) {
        return;
    }
    snprintf(sign_up->checked, sizeof sign_up->checked, "%s", name);
    sign_up->is_checking = true;
    screen_send_request(ui, "name_check", json_pack("{s:s}", "name", name),
                        handle_name_check_answer, 0);
}

/* Draws whether the name being typed is available. */
static void draw_whether_name_is_free(const struct sign_up *sign_up, const struct canvas *canvas,
                                      int row, int column, int width, const char *typed)
{
    char name[MODEL_NAME_MAX];
    copy_lowercase_name(typed, name);
    const char *fault = find_name_fault(name);
    bool is_known = !sign_up->is_checking && strcmp(name, sign_up->checked) == 0;
    if (name[0] == '\0') {
        draw_text(canvas, row, column, width, STYLE_SYSTEM,
                  _("2 to 16 characters: letters, digits, - and _"));
        draw_text(canvas, row + 1, column, width, STYLE_SYSTEM, _(code_hint));
    } else if (is_key_code(typed)) {
        draw_text(canvas, row, column, width, STYLE_GOOD, _("A code: Enter uses it."));
    } else if (fault != NULL) {
        draw_text(canvas, row, column, width, STYLE_BAD, fault);
    } else if (!is_known) {
        draw_text(canvas, row, column, width, STYLE_SYSTEM,
                  _("Checking whether the name is free…"));
    } else if (sign_up->is_free) {
        draw_formatted_text(canvas, row, column, width, STYLE_GOOD,
                            _("%s The name is free: Enter makes you %s."),
                            theme_glyph_text(canvas->theme, GLYPH_CHECK), sign_up->checked);
    } else {
        draw_text(canvas, row, column, width, STYLE_BAD, sign_up->why);
    }
}

/* Draws four cards, because this is the first screen that people see. */
static void draw_four_cards(const struct canvas *canvas, int row, int column)
{
    static const struct {
        const char *sign, *letters;
        enum style style;
    } cards[] = {
        {"A♠", "AS", STYLE_CARD},
        {"K♥", "KH", (enum style)(STYLE_TINT + 1)},
        {"Q♣", "QC", STYLE_CARD},
        {"J♦", "JD", (enum style)(STYLE_TINT + 1)},
    };
    for (int i = 0; i < 4; i++) {
        struct area card = {row, column + 7 * i, 3, 6};
        draw_box(canvas, &card, NULL, false);
        draw_text(canvas, row + 1, card.column + 2, 2, cards[i].style,
                  canvas->theme->is_ascii ? cards[i].letters : cards[i].sign);
    }
}

/* Draws one question, whether answered, open or still to come. */
static void draw_question_and_answer(const struct canvas *canvas, int row, int column, bool is_open,
                                     const char *label, const char *value)
{
    draw_text(canvas, row, column, 1, STYLE_KEY, is_open ? ">" : " ");
    draw_text(canvas, row, column + 2, 10, is_open ? STYLE_STRONG : STYLE_DIM, label);
    draw_text(canvas, row, column + 13, 24, STYLE_PLAIN, value);
}

/* Writes one dot for each character of a password, up to SECRET_SHOWN_MAX. */
static void write_password_as_dots(const struct theme *theme, const char *secret, struct text *out)
{
    for (const char *at = secret; *at != '\0' && at < secret + SECRET_SHOWN_MAX; at++) {
        text_put(out, (*at & 0xC0) == 0x80 ? "" : theme_glyph_text(theme, GLYPH_SECRET));
    }
}

static void draw_questions(struct ui *ui, struct sign_up *sign_up, const struct canvas *canvas,
                           int row, int column)
{
    bool is_name = sign_up->step == STEP_NAME;
    const char *typed = ui->input.text;
    draw_question_and_answer(canvas, row, column, is_name, _("Name"),
                             is_name ? typed : sign_up->name);
    char dots[128];
    struct text out = text_init(dots, sizeof dots);
    bool is_password = sign_up->step == STEP_PASSWORD;
    write_password_as_dots(canvas->theme, is_password ? typed : sign_up->password, &out);
    const char *none =
        sign_up->step >= STEP_ASKED && dots[0] == '\0' ? _("none: you use your key") : dots;
    draw_question_and_answer(canvas, row + 1, column, is_password, _("Password"), none);
    out = text_init(dots, sizeof dots);
    bool is_again = sign_up->step == STEP_AGAIN;
    write_password_as_dots(canvas->theme, is_again ? typed : "", &out);
    draw_question_and_answer(canvas, row + 2, column, is_again, _("Once more"), dots);
}

static void draw_welcome(const struct canvas *canvas, int row, int column, const char *name,
                         const char *recovery_code)
{
    draw_formatted_text(canvas, row, column, 60, STYLE_GOOD, _("Welcome, %s. The house is yours."),
                        name);
    draw_text(canvas, row + 2, column, 5, STYLE_KEY, "Enter");
    draw_text(canvas, row + 2, column + 7, 60, STYLE_STRONG, _("a game against bots now"));
    draw_text(canvas, row + 3, column, 5, STYLE_KEY, "l");
    draw_text(canvas, row + 3, column + 7, 60, STYLE_PLAIN, _("look around in the lobby first"));
    if (recovery_code[0] != '\0') {
        int width = canvas->body.width - column - 2;
        draw_formatted_text(canvas, row + 5, column, width, STYLE_NOTICE, _("Write this down: %s"),
                            recovery_code);
        draw_text(canvas, row + 6, column, width, STYLE_PLAIN,
                  _("If all else is lost, this code as your password lets you in once."));
    }
}

static void draw_sign_up(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct sign_up *sign_up = state;
    const struct area *body = &canvas->body;
    int column = body->width > 100 ? body->width / 2 - 38 : 8;
    bool has_cards = body->height >= 18;
    int row = has_cards ? body->row + (body->height - 14) / 2 : body->row - 2;
    draw_header(canvas, screen_model(ui)->house, _("first visit"));
    if (has_cards) {
        draw_four_cards(canvas, row, column);
    }
    struct area text = {row + 4, column, 3, body->width - column - 2};
    draw_wrapped_text(canvas, &text, STYLE_PLAIN,
                      _("A house of card games. You are new here: choose a name, and you are at a "
                        "table within half a minute."),
                      0, 0);
    if (sign_up->step == STEP_DONE) {
        draw_welcome(canvas, row + 8, column, sign_up->name, screen_model(ui)->you.recovery);
        return;
    }
    if (sign_up->step == STEP_NAME) {
        request_name_check(ui, sign_up, ui->input.text);
    }
    draw_questions(ui, sign_up, canvas, row + 8, column);
    int width = body->width - column - 3;
    if (sign_up->step == STEP_NAME) {
        draw_whether_name_is_free(sign_up, canvas, row + 12, column + 2, width, ui->input.text);
    } else if (sign_up->step == STEP_ASKED) {
        draw_text(canvas, row + 12, column + 2, width, STYLE_NOTICE, _("Creating your account…"));
    } else {
        char hint[128];
        snprintf(hint, sizeof hint,
                 _("At least %u characters; nobody here can read your password later."),
                 ui->setup.password_min);
        draw_text(canvas, row + 12, column + 2, width, STYLE_SYSTEM,
                  ui->setup.has_key ? _("Your key lets you in. A password works without the key.")
                                    : hint);
    }
}

static bool handle_sign_up_key(struct ui *ui, void *state, const struct press *press)
{
    struct sign_up *sign_up = state;
    if (sign_up->step != STEP_DONE) {
        return true; /* no key has an effect while the core's answer is outstanding */
    }
    if (press->kind == PRESS_ENTER) {
        screen_return_to_lobby(ui);
        return screen_open(ui, "offer", 0);
    }
    if (press->kind == PRESS_ESCAPE || (press->kind == PRESS_CHAR && press->code == 'l')) {
        screen_return_to_lobby(ui);
        return true;
    }
    return false;
}

/* Prints the welcome; the questions are printed when they are asked. */
static bool print_sign_up(struct ui *ui, void *state, struct lines *lines)
{
    const struct sign_up *sign_up = state;
    const char *recovery = screen_model(ui)->you.recovery;
    if (sign_up->step != STEP_DONE) {
        return true;
    }
    lines_format(lines, _("Welcome, %s. The house is yours."), sign_up->name);
    if (recovery[0] != '\0') {
        lines_format(lines, _("Write this down: %s"), recovery);
        lines_put(lines, _("If all else is lost, this code as your password lets you in once."));
    }
    lines_put(lines, _("Type play for a game against bots now, or lobby to look around first."));
    return true;
}

static bool handle_sign_up_line(struct ui *ui, void *state, const char *line)
{
    const struct sign_up *sign_up = state;
    bool is_play = strcasecmp(line, "play") == 0;
    if (sign_up->step == STEP_DONE && (is_play || strcasecmp(line, "lobby") == 0)) {
        screen_return_to_lobby(ui);
        return !is_play || screen_open(ui, "offer", 0);
    }
    return false;
}

static void add_sign_up_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct sign_up *sign_up = state;
    if (sign_up->step == STEP_DONE) {
        hints_add(hints, "Enter", _("play now"));
        hints_add(hints, "l", _("lobby"));
    }
}

static const struct screen_key sign_up_keys[] = {
    {"Enter", N_("answer the question; at the end: play against bots"), "/quick", NULL},
    {"l", N_("at the end: go to the lobby"), NULL, NULL},
    {"Ctrl-C", N_("leave without an account"), "/quit", N_("leave")},
    {NULL, NULL, NULL, NULL},
};

const struct screen sign_up_screen = {
    .name = "sign_up",
    .title = N_("First visit"),
    .has_own_exit = true,
    .state_size = sizeof(struct sign_up),
    .keys = sign_up_keys,
    .enter = enter_sign_up,
    .leave = leave_sign_up,
    .draw = draw_sign_up,
    .key = handle_sign_up_key,
    .hints = add_sign_up_hints,
    .print = print_sign_up,
    .line = handle_sign_up_line,
};
