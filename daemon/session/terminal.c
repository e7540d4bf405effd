#include "daemon/session/session_state.h"

#include "daemon/base/i18n.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#define ALPHANUMERIC "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

enum {
    OUT_MAX = 4 << 20,   /* room for the largest screen, with a different colour in every cell */
    PASTE_MIN = 3,       /* characters without line breaks; less may be keys pressed quickly */
    OUT_KEPT = 16 << 10, /* an empty output buffer that is larger than this is freed */
};

void terminal_init(struct terminal *terminal, size_t in_max)
{
    *terminal = (struct terminal){.size = terminal_size_clamp(0, 0)};
    bytes_init(&terminal->in, in_max);
    bytes_init(&terminal->out, OUT_MAX);
}

void terminal_drop_sent_bytes(struct terminal *terminal, size_t len)
{
    bytes_drop_first(&terminal->out, len);
    if (terminal->out.len == 0 && terminal->out.cap > OUT_KEPT) {
        bytes_clear(&terminal->out);
    }
}

/* True for text that goes on after a line break: with two characters, or with a line of its own.
 * Less may be keys that were pressed quickly, such as Enter and y. */
static bool is_text_of_several_lines(const char *text, size_t len)
{
    size_t characters = 0, after_break = 0;
    bool is_broken = false, is_going_on = false;
    for (size_t i = 0; i < len; i++) {
        bool is_break = text[i] == '\r' || text[i] == '\n';
        if (((uint8_t)text[i] < ' ' && !is_break && text[i] != '\t') || text[i] == 0x7F) {
            return false;
        }
        characters += !is_break;
        after_break += is_broken && !is_break;
        is_going_on |= after_break > 1 || (is_break && after_break > 0);
        is_broken |= is_break;
    }
    return is_going_on && characters >= PASTE_MIN;
}

void terminal_mark_paste(struct terminal *terminal, size_t start)
{
    static const char marks[] = KEY_PARSER_PASTE_BEGIN KEY_PARSER_PASTE_END;
    struct bytes *in = &terminal->in;
    size_t len = in->len - start, mark_len = strlen(KEY_PARSER_PASTE_BEGIN);
    if (terminal->lines.is_on || len == 0 || !is_text_of_several_lines(in->at + start, len)) {
        return;
    }
    if (!bytes_add(in, marks, sizeof(marks) - 1)) {
        in->len = start;
        terminal->is_overrun = true;
        return;
    }
    memmove(in->at + start + mark_len, in->at + start, len);
    memcpy(in->at + start, marks, mark_len);
    memcpy(in->at + start + mark_len + len, marks + mark_len, sizeof(marks) - 1 - mark_len);
}

void terminal_convert_output(struct terminal *terminal)
{
    struct bytes *out = &terminal->out;
    size_t kept = 0;
    for (size_t at = 0, step = 1; terminal->is_ascii && at < out->len; at += step) {
        utf8proc_int32_t code;
        utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)out->at + at,
                                                 (utf8proc_ssize_t)(out->len - at), &code);
        step = size > 0 ? (size_t)size : 1;
        if (size <= 0) {
            out->at[kept++] = '?';
        } else if (step == 1) {
            out->at[kept++] = (char)code;
        } else if (utf8proc_charwidth(code) > 0) {
            out->at[kept++] = (char)styled_text_character_to_ascii((wchar_t)code);
        }
    }
    out->len = terminal->is_ascii ? kept : out->len;
}

static bool is_valid_terminal_name(const char *name)
{
    size_t len = name == NULL ? 0 : strspn(name, ".+_-" ALPHANUMERIC);
    return len > 0 && len < TERMINAL_NAME_SIZE && name[len] == '\0' &&
           strspn(name, ALPHANUMERIC) > 0;
}

void terminal_name_copy(char name[TERMINAL_NAME_SIZE], const char *offered_name)
{
    const char *chosen = is_valid_terminal_name(offered_name) ? offered_name : "unknown";
    memcpy(name, chosen, strlen(chosen) + 1);
}

static bool locale_uses_utf8(const char *locale)
{
    /* macOS sends a character set without a language: LC_CTYPE=UTF-8 */
    const char *dot = strchr(locale, '.');
    const char *charset = dot != NULL ? dot + 1 : locale;
    return strncasecmp(charset, "utf-8", strlen("utf-8")) == 0 ||
           strncasecmp(charset, "utf8", strlen("utf8")) == 0;
}

/* number of environment variables that can set one category of the locale, such as LC_ALL */
#define NAMES 3

/* True if `names` contains the variable and no variable of higher priority was set before. Then
 * stores the variable's priority in *priority. The last name has the highest priority. */
static bool note_priority_if_highest(const char *const names[NAMES], const char *name,
                                     uint8_t *priority)
{
    for (uint8_t i = 0; i < NAMES; i++) {
        if (strcmp(names[i], name) == 0 && i + 1 >= *priority) {
            *priority = (uint8_t)(i + 1);
            return true;
        }
    }
    return false;
}

bool terminal_take_env_variable(struct terminal *terminal, const char *name, const char *value)
{
    static const char *const charset[NAMES] = {"LANG", "LC_CTYPE", "LC_ALL"};
    static const char *const language[NAMES] = {"LANG", "LC_MESSAGES", "LC_ALL"};
    if (value[0] != '\0' && note_priority_if_highest(charset, name, &terminal->locale_rank)) {
        terminal->is_ascii = !locale_uses_utf8(value);
    }
    if (value[0] != '\0' && note_priority_if_highest(language, name, &terminal->language_rank)) {
        terminal->language = i18n_language_of_locale(value);
    }
    if (strcmp(name, "TZ") == 0) {
        (void)snprintf(terminal->timezone, sizeof(terminal->timezone), "%s",
                       value + (value[0] == ':'));
        return true;
    }
    return strcmp(name, "LANG") == 0 || strncmp(name, "LC_", strlen("LC_")) == 0;
}

bool terminal_name_is_dumb(const char *name)
{
    return strcmp(name, "dumb") == 0;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

struct terminal_size terminal_size_clamp(int columns, int rows)
{
    if (columns <= 0 || rows <= 0) {
        return (struct terminal_size){TERMINAL_COLUMNS, TERMINAL_ROWS};
    }
    return (struct terminal_size){clamp(columns, UI_COLUMNS_LEAST, 500),
                                  clamp(rows, UI_ROWS_LEAST, 200)};
}
