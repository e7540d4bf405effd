#include "daemon/screens/kernel/ui.h"
#include "hostile_session.h"
#include "lobby/protocol/protocol.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Stands in for the real screen: prints every input as a line. "q" leaves; "!x" makes the session
 * act as if an attacker controlled it (hostile_session.h). */
struct fake_ui {
    struct ui ui; /* only its address is used */
    struct bytes text;
    bool is_done;
};

static struct fake_ui *fake_of(struct ui *ui)
{
    return (struct fake_ui *)ui;
}

/* Makes a function that is called instead of the real one (--wrap). */
#define FAKE(type, name, ...)                                                                      \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

static void print_line(struct ui *ui, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print_line(struct ui *ui, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!bytes_add(&fake_of(ui)->text, text, (size_t)len)) {
        abort();
    }
}

static void print_pushed_message(void *context, const char *type, const json_t *message)
{
    (void)message;
    print_line(context, "PUSH %s\r\n", type);
}

static void print_answer(void *context, bool is_ok, const json_t *answer)
{
    (void)answer;
    print_line(context, "ANSWER %d\r\n", is_ok);
}

FAKE(bool, ui_awaits_first_content, const struct ui *ui)
{
    (void)ui;
    return false;
}

FAKE(struct ui *, ui_new, const struct ui_setup *setup)
{
    struct fake_ui *fake = calloc(1, sizeof(*fake));
    if (fake == NULL) {
        abort();
    }
    struct ui *ui = &fake->ui;
    bytes_init(&fake->text, 1 << 16);
    client_set_push_receiver(setup->client, print_pushed_message, ui);
    if (setup->is_unregistered) {
        print_line(ui, "VISITOR \"%s\" key %d\r\n", setup->suggested_name, setup->has_key);
    }
    char *you = setup->you == NULL ? NULL : json_dumps(setup->you, JSON_COMPACT);
    print_line(ui, "SCREEN %s %dx%d %s\r\n", you == NULL ? "" : you, setup->columns, setup->rows,
               setup->term);
    free(you);
    if (!client_send_request(setup->client, "ping", NULL, print_answer, ui)) {
        abort();
    }
    return ui;
}

FAKE(void, ui_free, struct ui *ui)
{
    bytes_clear(&fake_of(ui)->text);
    free(ui);
}

FAKE(void, ui_handle_input, struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
{
    (void)now_ms;
    if (len == 0) {
        return;
    }
    if (len > 1 && bytes[0] == '!') {
        print_line(ui, "DONE %s\r\n", hostile_session_act((char)bytes[1]));
        return;
    }
    print_line(ui, "TYPED %.*s\r\n", (int)len, (const char *)bytes);
    fake_of(ui)->is_done = bytes[0] == 'q';
}

FAKE(int64_t, ui_keys_due_ms, const struct ui *ui)
{
    (void)ui;
    return INT64_MAX;
}

FAKE(void, ui_resize, struct ui *ui, int columns, int rows)
{
    print_line(ui, "RESIZED %dx%d\r\n", columns, rows);
}

FAKE(void, ui_set_line_mode, struct ui *ui, const struct ui_lines *lines)
{
    print_line(ui, "%s\r\n", lines->is_on ? "LINES" : "PICTURES");
}

FAKE(void, ui_note_end_of_input, struct ui *ui, int64_t now_ms)
{
    (void)now_ms;
    fake_of(ui)->is_done = true;
}

FAKE(void, ui_mark_lines_from_ssh_command, struct ui *ui)
{
    (void)ui;
}

FAKE(void, ui_leave_after_typed_lines, struct ui *ui)
{
    (void)ui; /* no test of the gate needs this */
}

FAKE(bool, ui_last_mod_command_succeeded, const struct ui *ui)
{
    (void)ui;
    return true;
}

FAKE(bool, ui_is_typing_hidden, const struct ui *ui)
{
    (void)ui;
    return false;
}

FAKE(void, ui_tick, struct ui *ui, int64_t now_ms)
{
    (void)ui;
    (void)now_ms;
}

FAKE(bool, ui_wants_paint, const struct ui *ui, int64_t now_ms)
{
    (void)now_ms;
    return ((const struct fake_ui *)ui)->text.len > 0;
}

FAKE(int, ui_poll_timeout_ms, const struct ui *ui, int64_t now_ms)
{
    return __wrap_ui_wants_paint(ui, now_ms) ? 0 : -1;
}

FAKE(void, ui_paint, struct ui *ui, int64_t now_ms, struct bytes *out)
{
    (void)now_ms;
    if (!bytes_add(out, fake_of(ui)->text.at, fake_of(ui)->text.len)) {
        abort();
    }
    bytes_drop_first(&fake_of(ui)->text, fake_of(ui)->text.len);
}

FAKE(bool, ui_is_done, const struct ui *ui)
{
    return ((const struct fake_ui *)ui)->is_done;
}

FAKE(void, ui_restore_terminal, struct ui *ui, struct bytes *out)
{
    __wrap_ui_paint(ui, 0, out);
    static const char line[] = "GOODBYE\r\n";
    if (!bytes_add(out, line, sizeof(line) - 1)) {
        abort();
    }
}
