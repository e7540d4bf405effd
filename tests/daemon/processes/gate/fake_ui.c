#include "daemon/screens/kernel/ui.h"
#include "hostile_session.h"
#include "lobby/protocol/protocol.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Stands in for the real screen: prints every input as a line. "q" leaves; "!x" makes the session
 * act as if an attacker controlled it (hostile_session.h). */
struct ui {
    struct bytes text;
    bool is_done;
};

static void print_line(struct ui *ui, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print_line(struct ui *ui, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!bytes_add(&ui->text, text, (size_t)len)) {
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

bool ui_awaits_first_content(const struct ui *ui)
{
    (void)ui;
    return false;
}

struct ui *ui_new(const struct ui_setup *setup)
{
    struct ui *ui = calloc(1, sizeof(*ui));
    if (ui == NULL) {
        abort();
    }
    bytes_init(&ui->text, 1 << 16);
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

void ui_free(struct ui *ui)
{
    bytes_clear(&ui->text);
    free(ui);
}

void ui_handle_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms)
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
    ui->is_done = bytes[0] == 'q';
}

int64_t ui_keys_due_ms(const struct ui *ui)
{
    (void)ui;
    return INT64_MAX;
}

void ui_resize(struct ui *ui, int columns, int rows)
{
    print_line(ui, "RESIZED %dx%d\r\n", columns, rows);
}

void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines)
{
    print_line(ui, "%s\r\n", lines->is_on ? "LINES" : "PICTURES");
}

void ui_note_end_of_input(struct ui *ui, int64_t now_ms)
{
    (void)now_ms;
    ui->is_done = true;
}

void ui_mark_lines_from_ssh_command(struct ui *ui)
{
    (void)ui;
}

void ui_leave_after_typed_lines(struct ui *ui)
{
    (void)ui; /* no test of the gate needs this */
}

bool ui_last_mod_command_succeeded(const struct ui *ui)
{
    (void)ui;
    return true;
}

bool ui_is_typing_hidden(const struct ui *ui)
{
    (void)ui;
    return false;
}

void ui_tick(struct ui *ui, int64_t now_ms)
{
    (void)ui;
    (void)now_ms;
}

int ui_poll_timeout_ms(const struct ui *ui, int64_t now_ms)
{
    return ui_wants_paint(ui, now_ms) ? 0 : -1;
}

bool ui_wants_paint(const struct ui *ui, int64_t now_ms)
{
    (void)now_ms;
    return ui->text.len > 0;
}

void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out)
{
    (void)now_ms;
    if (!bytes_add(out, ui->text.at, ui->text.len)) {
        abort();
    }
    bytes_drop_first(&ui->text, ui->text.len);
}

bool ui_is_done(const struct ui *ui)
{
    return ui->is_done;
}

void ui_restore_terminal(struct ui *ui, struct bytes *out)
{
    ui_paint(ui, 0, out);
    static const char line[] = "GOODBYE\r\n";
    if (!bytes_add(out, line, sizeof(line) - 1)) {
        abort();
    }
}
