#include "daemon/screens/kernel/order.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model_read.h"
#include "daemon/screens/model/said.h"

#include <stdio.h>
#include <string.h>

static void send_line(struct ui *ui, const char *line);

static void send_confirmed_command(struct ui *ui, UNUSED void *state, const char *text)
{
    char line[sizeof ui->order + 8];
    if (text == NULL) {
        screen_inform(ui, "%s", _("Nothing was done."));
        return;
    }
    snprintf(line, sizeof line, "yes %s", ui->order);
    send_line(ui, line);
}

/* Shows an answer of one line in the rule, a longer one in the chat. */
static void show_command_answer(struct ui *ui, UNUSED void *state, UNUSED int64_t tag, bool is_ok,
                                const json_t *answer)
{
    char line[MODEL_TEXT_MAX];
    json_t *lines = said_translate_lines(answer);
    ui->is_order_done = is_ok;
    model_read_text(json_object_get(answer, "code"), line, sizeof line);
    if (!is_ok && strcmp(line, "confirm") == 0) {
        model_read_sentence(answer, "why", line, sizeof line);
        screen_ask(ui, ASK_YES, line, NULL, send_confirmed_command);
    } else if (!is_ok) {
        screen_warn_refused(ui, answer);
    } else if (json_array_size(lines) == 1) {
        model_read_text(json_array_get(lines, 0), line, sizeof line);
        screen_inform(ui, "%s", line);
    } else {
        for (size_t i = 0; i < json_array_size(lines); i++) {
            const json_t *text = json_array_get(lines, i);
            model_read_text(text, line, sizeof line);
            screen_add_chat_line(ui, "%s", line);
        }
    }
    json_decref(lines);
}

static void send_line(struct ui *ui, const char *line)
{
    json_t *fields = json_pack("{s:s}", "line", line);
    if (ui->is_exec) {
        (void)json_object_set_new(fields, "via", json_string("exec"));
    }
    ui->is_order_done = false;
    screen_request(ui, "mod", fields, show_command_answer, 0);
}

void order_send(struct ui *ui, const char *line)
{
    if (strncmp(line, "yes ", 4) != 0) {
        snprintf(ui->order, sizeof ui->order, "%s", line);
    }
    send_line(ui, line);
}
