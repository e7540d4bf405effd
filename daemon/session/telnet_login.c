#include "daemon/session/session_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#define CONTROL(letter) ((letter)&0x1f)

/* Adds text to the output. Cannot fail: the buffer holds megabytes, and little is printed here. */
static void print_text(struct bytes *out, const char *text)
{
    bool is_said = bytes_add(out, text, strlen(text));
    (void)is_said;
}

/* Prints lines that end with '\n'; on the terminal each ends with CR LF. */
static void print_lines(struct bytes *out, const char *text)
{
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        bool is_said = bytes_add(out, text, (size_t)(end - text)) && bytes_add(out, "\r\n", 2);
        (void)is_said;
    }
}

/* Prints a question. It is a line of its own for a client in line mode, which may show only whole
 * lines. */
static void print_question(const struct telnet_login *login, const char *question,
                           struct bytes *out)
{
    print_text(out, question);
    print_text(out, login->is_echoed ? " " : "\r\n");
}

/* Shows what is typed, unless the client itself shows it. */
static void echo_text(const struct telnet_login *login, const char *text, struct bytes *out)
{
    print_text(out, login->is_echoed ? text : "");
}

static void ask_for_name(struct telnet_login *login, struct bytes *out)
{
    login->is_at_password = false;
    print_question(login,
                   login->sign_in->takes_no_guests
                       ? _("Your name (\"new\" for an account):")
                       : _("Your name (\"guest\" to look around, \"new\" for an account):"),
                   out);
}

void telnet_login_begin(struct telnet_login *login, struct login *sign_in, bool is_echoed,
                        struct bytes *out)
{
    char greeting[128];
    *login = (struct telnet_login){.sign_in = sign_in, .is_echoed = is_echoed};
    snprintf(greeting, sizeof(greeting), _("Welcome to %s.\n"),
             sign_in->house[0] == '\0' ? "Trickhouse" : sign_in->house);
    print_lines(out, greeting);
    ask_for_name(login, out);
}

/* Asks for a name, or asks a banned person for an appeal. */
static void ask_next_question(struct telnet_login *login, struct bytes *out)
{
    if (login->sign_in->is_banned) {
        login->is_at_appeal = true;
        login->is_at_password = false;
        print_question(login, login_appeal_question(), out);
    } else {
        login->is_at_appeal = false;
        ask_for_name(login, out);
    }
}

/* Handles the result of a sign-in. After a refusal, explains it and asks again. */
static void handle_sign_in_result(struct telnet_login *login, enum login_result result,
                                  struct bytes *out)
{
    if (login->sign_in->state != LOGIN_ASKING) {
        return; /* the caller shows a screen after a sign-in, and a last message after a final
                   refusal */
    }
    char note[LOGIN_NOTE_MAX];
    login_write_refusal_note(login->sign_in, result, note);
    print_lines(out, note);
    ask_next_question(login, out);
}

static void handle_typed_name(struct telnet_login *login, struct bytes *out)
{
    if (login->len == 0) {
        ask_for_name(login, out);
    } else if (strcmp(login->line, "guest") == 0) {
        handle_sign_in_result(login, login_as_guest(login->sign_in), out);
    } else if (strcmp(login->line, "new") == 0) {
        handle_sign_in_result(login, login_by_password(login->sign_in, "", ""), out);
    } else {
        memcpy(login->name, login->line, sizeof(login->name));
        login->is_at_password = true;
        print_question(login, _("Password:"), out);
    }
}

/* Handles a password or an appeal. After an empty line, asks for the name again: an empty password
 * would sign the owner of an account in as an unregistered person. */
static void handle_password_or_appeal(struct telnet_login *login, struct bytes *out)
{
    if (login->len == 0) {
        ask_next_question(login, out);
    } else {
        handle_sign_in_result(login, login_by_password(login->sign_in, login->name, login->line),
                              out);
    }
}

static void handle_typed_line(struct telnet_login *login, struct bytes *out)
{
    echo_text(login, "\r\n", out);
    login->line[login->len] = '\0';
    if (login->is_at_appeal || login->is_at_password) {
        handle_password_or_appeal(login, out);
    } else {
        handle_typed_name(login, out);
    }
    explicit_bzero(login->line, sizeof(login->line));
    login->len = 0;
}

/* Returns the length in bytes of the last character of the typed line. A password or an appeal may
 * contain any UTF-8 character. */
static size_t measure_last_character_bytes(const struct telnet_login *login)
{
    size_t count = 1;
    while (count < login->len && ((uint8_t)login->line[login->len - count] & 0xc0) == 0x80) {
        count++;
    }
    return count;
}

/* Deletes the last character of the typed line. That character takes one column on the screen, or
 * none in a password. */
static void erase_last_character(struct telnet_login *login, struct bytes *out)
{
    size_t count = measure_last_character_bytes(login);
    if (login->len == 0) {
        return;
    }
    explicit_bzero(login->line + login->len - count, count);
    login->len -= count;
    echo_text(login, login->is_at_password ? "" : "\b \b", out);
}

static void erase_typed_line(struct telnet_login *login, struct bytes *out)
{
    while (login->len > 0) {
        erase_last_character(login, out);
    }
}

/* Adds a character to the typed line, or refuses it with a bell. A name has only ASCII. */
static void add_typed_character(struct telnet_login *login, uint32_t code, struct bytes *out)
{
    char character[5] = "";
    size_t len = (size_t)utf8proc_encode_char((utf8proc_int32_t)code, (uint8_t *)character);
    bool is_name = !login->is_at_password && !login->is_at_appeal;
    if (login->len + len > TELNET_LOGIN_LINE_MAX || code < ' ' || (is_name && code > '~')) {
        echo_text(login, "\a", out);
        return;
    }
    memcpy(login->line + login->len, character, len);
    login->len += len;
    if (!login->is_at_password) {
        echo_text(login, character, out);
    }
}

static void handle_character(struct telnet_login *login, uint32_t code, struct bytes *out)
{
    switch (code) {
    case CONTROL('U'):
        erase_typed_line(login, out);
        break;
    case CONTROL('C'):
    case CONTROL('D'):
        login->has_left = true;
        break;
    default:
        add_typed_character(login, code, out);
        break;
    }
}

static void handle_key(struct telnet_login *login, const struct press *press, struct bytes *out)
{
    switch ((int)press->kind) {
    case PRESS_CHAR:
    case PRESS_PASTED:
        handle_character(login, press->code, out);
        break;
    case PRESS_ENTER:
        handle_typed_line(login, out);
        break;
    case PRESS_BACKSPACE:
        erase_last_character(login, out);
        break;
    default:
        break;
    }
}

void telnet_login_handle(struct telnet_login *login, struct bytes *typed, int64_t now_ms,
                         struct bytes *out)
{
    struct press press;
    size_t taken = 0;
    while (key_parser_expire(&login->keys, now_ms, &press)) {
        /* Esc has no meaning here */
    }
    while (taken < typed->len && login->sign_in->state == LOGIN_ASKING && !login->has_left) {
        if (key_parser_take(&login->keys, (uint8_t)typed->at[taken++], now_ms, &press)) {
            handle_key(login, &press, out);
        }
    }
    if (taken > 0) {
        explicit_bzero(typed->at, taken);
    }
    bytes_drop_first(typed, taken);
}
