#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/kernel/ui_state.h"

#include "games/macros.h"

#include <string.h>

static const struct screen *const screens[] = {
#define SCREEN(name) &(name),
#include "daemon/screens/kernel/screens.def"
#undef SCREEN
};

const struct screen *screen_get_by_index(size_t index)
{
    return index < ARRAY_LEN(screens) ? screens[index] : NULL;
}

const struct screen *screen_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        if (strcmp(screens[i]->name, name) == 0) {
            return screens[i];
        }
    }
    return NULL;
}

struct area screen_body(const struct ui *ui)
{
    return (struct area){0, 0, display_rows(ui->display) - UI_BOTTOM_ROWS,
                         display_columns(ui->display)};
}
