#include "daemon/screens/kernel/hints.h"

#include <stdio.h>

void hints_add(struct hints *hints, const char *key, const char *label)
{
    if (hints->count < HINTS_MAX) {
        int at = hints->count++;
        snprintf(hints->at[at].key, HINT_MAX, "%s", key);
        snprintf(hints->at[at].label, HINT_MAX, "%s", label);
    }
}
