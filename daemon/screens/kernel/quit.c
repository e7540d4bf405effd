#include "daemon/screens/kernel/quit.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#include <stdio.h>

static void quit_if_confirmed(struct ui *ui, UNUSED void *state, const char *text)
{
    ui->is_done = ui->is_done || text != NULL;
}

void screen_quit(struct ui *ui)
{
    for (int i = 0; i < ui->model->mine_count; i++) {
        int64_t id = ui->model->mine[i].table;
        const struct table_row *table = model_find_table(ui->model, id);
        if (table != NULL && model_table_needs_you(table)) {
            char question[UI_QUESTION_MAX];
            snprintf(question, sizeof question,
                     _("Your game at #%lld goes on without you for now. Quit?"), (long long)id);
            screen_ask(ui, ASK_YES, question, NULL, quit_if_confirmed);
            return;
        }
    }
    ui->is_done = true;
}
