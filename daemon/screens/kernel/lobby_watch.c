#include "daemon/screens/kernel/ui.h"

#include <stdlib.h>
#include <string.h>

/* The rows arrive before the answer. */
static void note_arrived_rows(struct ui *ui, UNUSED const struct ui_answer *answer)
{
    ui->awaits_rows = false;
}

void ui_watch_lobby(struct ui *ui)
{
    struct ui_layer *layer = ui_top_layer(ui);
    bool shows_rows = layer->screen->lobby_query != NULL && ui->display != NULL &&
                      !ui->plain.is_on && ui->model->you.name[0] != '\0';
    json_t *fields = shows_rows ? layer->screen->lobby_query(ui, layer->state) : NULL;
    char *text = fields == NULL ? NULL : json_dumps(fields, JSON_COMPACT | JSON_SORT_KEYS);
    bool is_same =
        text == NULL || ui->watched == NULL ? text == ui->watched : strcmp(text, ui->watched) == 0;
    if (is_same) {
        json_decref(fields);
        free(text);
        return;
    }
    free(ui->watched);
    ui->watched = text;
    ui->awaits_rows = fields != NULL;
    ui_request(ui, "lobby_watch", fields == NULL ? json_object() : fields, note_arrived_rows, 0);
}

void ui_forget_watched_lobby(struct ui *ui)
{
    free(ui->watched);
    ui->watched = NULL;
}
