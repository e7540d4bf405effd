#include "daemon/screens/replay/replay.h"

#include "daemon/screens/kernel/ui_state.h"

void review_leave(struct ui *ui)
{
    if (ui->model->shared_replay.game_id != 0) {
        model_leave_shared_replay(ui->model);
        ui_request(ui, "review_leave", json_object(), NULL, 0);
    }
}
