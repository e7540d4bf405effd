#include "daemon/screens/kernel/typed_line.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/ui_state.h"

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

void screen_carry_out_line(struct ui *ui, const char *line)
{
    while (*line == ' ') {
        line++;
    }
    if (*line == '/') {
        command_run(ui, line);
        return;
    }
    if (*line == '\0') {
        return;
    }
    if (ui->model->you.name[0] == '\0') {
        screen_warn(ui, "%s", _("Choose a name first: then you can talk."));
        return;
    }
    ui_request(
        ui, "say",
        json_pack("{s:s, s:s, s:s}", "to", screen_chat_recipient(ui), "kind", "say", "text", line),
        NULL, 0);
}
