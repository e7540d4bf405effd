#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#include <string.h>

const char *screen_typed_text(const struct ui *ui)
{
    return ui->input.text;
}

void screen_begin_typing(struct ui *ui, const char *text)
{
    input_set_text(&ui->input, text);
    ui->is_typing = true;
    ui->is_dirty = true;
}

/* Offers a line to the open screens before it is said. */
static bool is_line_caught_by_screen(struct ui *ui, const char *line)
{
    bool is_caught = false;
    for (int i = ui->depth - 1; i >= 0 && !is_caught; i--) {
        struct ui_layer layer = ui->stack[i];
        uint32_t before = ui_set_running_screen(ui, layer.serial);
        is_caught =
            layer.screen->catches_line != NULL && layer.screen->catches_line(ui, layer.state, line);
        (void)ui_set_running_screen(ui, before);
    }
    return is_caught;
}

/* In plain mode nothing tells talk from a command but the slash: handles the name of a command that
 * was typed alone and without it. Asking for help needs no slash. False for any other line. */
static bool handle_bare_command(struct ui *ui, const char *line)
{
    bool asks_for_help = strcmp(line, "?") == 0 || strcmp(line, "help") == 0;
    if (!ui->plain.is_on || (!asks_for_help && !command_is_named(ui, line))) {
        return false;
    }
    if (asks_for_help) {
        command_run(ui, "/help");
    } else {
        screen_inform(ui, _("\"%s\" was not said. /%s is the command, /chat %s says it."), line,
                      line, line);
    }
    return true;
}

void screen_carry_out_line(struct ui *ui, const char *line)
{
    while (*line == ' ') {
        line++;
    }
    if (*line == '/') {
        command_run(ui, line);
        return;
    }
    if (*line != '\0' && !is_line_caught_by_screen(ui, line) && !handle_bare_command(ui, line)) {
        screen_say(ui, line);
    }
}

void screen_say(struct ui *ui, const char *text)
{
    if (ui->model->you.name[0] == '\0') {
        screen_warn(ui, "%s", _("Choose a name first: then you can talk."));
        return;
    }
    ui_request(
        ui, "say",
        json_pack("{s:s, s:s, s:s}", "to", screen_chat_recipient(ui), "kind", "say", "text", text),
        NULL, 0);
}
