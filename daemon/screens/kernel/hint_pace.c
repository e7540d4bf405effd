#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#define HINTS_PER_WINDOW 5
#define WINDOW_MS 1000

bool screen_may_make_hint(struct ui *ui)
{
    if (ui->hint_count == 0 || ui->now_ms - ui->hints_since_ms >= WINDOW_MS) {
        ui->hints_since_ms = ui->now_ms;
        ui->hint_count = 0;
    }
    if (ui->hint_count == HINTS_PER_WINDOW) {
        screen_warn(ui, "%s", _("The bot needs a moment: ask for the next hint in a second."));
        return false;
    }
    ui->hint_count++;
    return true;
}
