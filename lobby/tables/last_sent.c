#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"

#include <stdlib.h>
#include <string.h>

bool last_sent_replace_if_changed(char **last_text, json_t *message)
{
    char *text = memory_check_allocated(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    if (*last_text != NULL && strcmp(*last_text, text) == 0) {
        free(text);
        return false;
    }
    free(*last_text);
    *last_text = text;
    return true;
}
