#pragma once

#include "daemon/screens/kernel/ui.h"

/* Every screen of screens.def; NULL ends the list. */
static const struct screen *const all_screens[] = {
#define SCREEN(name) &(name),
#include "daemon/screens/kernel/screens.def"
#undef SCREEN
    NULL,
};
